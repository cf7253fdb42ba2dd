/**
 * Replaces lone surrogates and NUL by U+FFFD, so that the HTML can be stored and percent-encoding can't throw.
 * Rendering and finding references both start here, so that they agree about names.
 */
export function cleanText(text: string): string {
  return text.replace(/[\p{Surrogate}\0]/gu, '\uFFFD')
}
