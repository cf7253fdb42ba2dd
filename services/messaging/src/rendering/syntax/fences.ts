import type { StateBlock } from 'markdown-it'
import { lineIndent, lineText } from './block-lines.ts'

/** A fence line: three or more backticks or tildes, and the text after them. */
export interface Fence {
  /** Columns before it. */
  indent: number
  markup: string
  label: string
  rest: string
}

// `~~~ hi ~~~` is text with marks around it, not a fence, whose line would be lost; the same with backticks.
const FENCE = /^(`{3,}|~{3,})(?=[^`~]*$)[ \t]*([^ \t]*)(.*)$/s

/** Reads the fence on a line, or returns null. */
export function readFence(state: StateBlock, line: number): Fence | null {
  const match = FENCE.exec(lineText(state, line))
  if (!match) return null
  return {
    indent: lineIndent(state, line),
    markup: match[1] ?? '',
    label: match[2] ?? '',
    rest: (match[3] ?? '').trim(),
  }
}

/** The kind of container that a fence begins; null for code. */
export function containerOf({ label }: Fence): 'quote' | 'spoiler' | null {
  const name = label.toLowerCase()
  if (name === 'quote' || name === 'quoted') return 'quote'
  return name === 'spoiler' ? 'spoiler' : null
}

/**
 * Finds the line that ends a fence: a bare fence of exactly its marks, indented no further, that belongs to no inner
 * fence. A container can contain fences, code can't. Without such a line the fence runs to the end of the surrounding
 * block.
 */
export function findFenceEnd(
  state: StateBlock,
  fence: Fence,
  startLine: number,
  endLine: number,
): { line: number; isClosed: boolean } {
  const open = [fence]
  for (let line = startLine; line < endLine; line += 1) {
    const indent = lineIndent(state, line)
    if (indent < 0 && !state.isEmpty(line)) return { line, isClosed: false }

    const innermost = open.at(-1)
    const found = indent < 4 ? readFence(state, line) : null
    if (!innermost || !found) continue
    if (endsFence(innermost, found)) {
      open.pop()
      if (open.length === 0) return { line, isClosed: true }
    } else if (containerOf(innermost)) {
      open.push(found)
    }
  }
  return { line: endLine, isClosed: false }
}

function endsFence(open: Fence, found: Fence): boolean {
  return found.label === '' && found.markup === open.markup && found.indent <= open.indent
}
