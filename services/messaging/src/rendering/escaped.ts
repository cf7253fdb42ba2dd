/** Whether a backslash stands before a place in a text that isn't itself behind one. */
export function isEscaped(text: string, pos: number): boolean {
  let start = pos
  while (text.charAt(start - 1) === '\\') start -= 1
  return (pos - start) % 2 === 1
}
