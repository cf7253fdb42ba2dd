/** Whether a text is the address of something in the web, and so of nothing that runs in a browser. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}
