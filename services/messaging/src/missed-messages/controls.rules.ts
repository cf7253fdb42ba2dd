/** Control characters other than tabs and line ends, which mail programs don't show and JSON writes as six bytes. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu

/** The text without control characters that mean nothing in a mail. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '')
