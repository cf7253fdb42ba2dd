/**
 * Replaces lone surrogates and NUL by U+FFFD, so that the HTML can be stored and percent-encoding cannot throw.
 * Rendering and reference finding both start here, or they could disagree about a name.
 */
export function cleanText(text: string): string {
  return text.replace(/[\p{Surrogate}\0]/gu, '\uFFFD')
}
