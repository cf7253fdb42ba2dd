/** Whether an unescaped backslash precedes a position in a text. */
export function isEscaped(text: string, pos: number): boolean {
  let start = pos
  while (text.charAt(start - 1) === '\\') start -= 1
  return (pos - start) % 2 === 1
}
