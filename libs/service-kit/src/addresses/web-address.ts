/** Whether a text is an http(s) URL, so not a script or another scheme that runs in a browser. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}
