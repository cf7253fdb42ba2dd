import type { StateBlock } from 'markdown-it'
import { lineIndent, lineText } from './block-lines.ts'

/** A line of three or more backticks or tildes, with what follows them. */
export interface Fence {
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
  return { markup: match[1] ?? '', label: match[2] ?? '', rest: (match[3] ?? '').trim() }
}

/** Whether a fence holds Markdown instead of code. */
export function isContainer(fence: Fence): boolean {
  return fence.label === 'quote' || fence.label === 'spoiler'
}

/**
 * Finds the line that ends a container. Unlike code, a container can hold fences, so it ends at a bare fence of
 * exactly its own length that no fence within claims. Without one it runs to the end of the block around it.
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
    } else if (isContainer(innermost)) {
      open.push(found)
    }
  }
  return { line: endLine, isClosed: false }
}

function endsFence(open: Fence, found: Fence): boolean {
  if (found.label !== '') return false
  return isContainer(open) ? found.markup === open.markup : found.markup.startsWith(open.markup)
}
