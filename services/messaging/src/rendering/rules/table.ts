import type { MarkdownIt, StateBlock } from 'markdown-it'
import { lineIndent, lineText } from '../syntax/block-lines.ts'
import { contextOf } from '../syntax/render-context.ts'
import { type Alignment, readAlignments, splitRow } from './table-rows.ts'

/**
 * Rows are filled up to the width of the header, so a wide header over many short lines would make a small message
 * grow a thousandfold. 10,000 code points contain at most 5,000 written cells.
 */
const MAX_CELLS = 10_000

/** Pipe tables. A table that would exceed the limit of the message stays text. */
export function tables(parser: MarkdownIt): void {
  parser.block.ruler.at('table', table, { alt: ['paragraph'] })
}

function table(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const alignments = startLine + 1 < endLine ? readHead(state, startLine) : null
  if (!alignments) return false
  const context = contextOf(state.env)
  const bodyLine = startLine + 2
  const rowsEnd = findRowsEnd(state, bodyLine, endLine, (MAX_CELLS - context.tableCells) / alignments.length)
  const cells = context.tableCells + alignments.length * (rowsEnd - startLine - 1)
  if (cells > MAX_CELLS) return false
  if (isSilent) return true

  context.tableCells = cells
  state.push('table_open', 'table', 1).map = [startLine, rowsEnd]
  state.push('thead_open', 'thead', 1)
  pushRow(state, 'th', splitRow(lineText(state, startLine)), alignments)
  state.push('thead_close', 'thead', -1)
  state.push('tbody_open', 'tbody', 1)
  for (let line = bodyLine; line < rowsEnd; line += 1) {
    pushRow(state, 'td', splitRow(lineText(state, line)), alignments)
  }
  // Clients expect a body with a row.
  if (rowsEnd === bodyLine) pushRow(state, 'td', [], alignments)
  state.push('tbody_close', 'tbody', -1)
  state.push('table_close', 'table', -1)
  state.line = rowsEnd
  return true
}

/** The alignments of the table whose header is on a line; null if there is none. */
function readHead(state: StateBlock, line: number): Alignment[] | null {
  const isIndented = (at: number) => lineIndent(state, at) < 0 || lineIndent(state, at) >= 4
  if (isIndented(line) || isIndented(line + 1)) return null
  const alignments = readAlignments(lineText(state, line + 1).trim())
  if (!alignments || alignments.length === 0) return null
  const header = lineText(state, line)
  return header.includes('|') && splitRow(header).length === alignments.length ? alignments : null
}

/** The line after the last row: an empty one, or one that begins another block. */
function findRowsEnd(state: StateBlock, startLine: number, endLine: number, maxRows: number): number {
  const { parentType } = state
  state.parentType = 'table'
  const ends = state.md.block.ruler.getRules('blockquote')
  let line = startLine
  for (; line < endLine && line - startLine <= maxRows; line += 1) {
    const indent = lineIndent(state, line)
    if (state.isEmpty(line) || indent < 0 || indent >= 4) break
    if (ends.some((startsBlock) => startsBlock(state, line, endLine, true))) break
  }
  state.parentType = parentType
  return line
}

function pushRow(
  state: StateBlock,
  tag: 'th' | 'td',
  cells: readonly string[],
  alignments: readonly Alignment[],
): void {
  state.push('tr_open', 'tr', 1)
  for (const [column, alignment] of alignments.entries()) {
    const open = state.push(`${tag}_open`, tag, 1)
    // Exactly this text: clients compare it.
    if (alignment) open.attrs = [['style', `text-align: ${alignment};`]]
    const text = state.push('inline', '', 0)
    text.content = cells[column] ?? ''
    text.children = []
    state.push(`${tag}_close`, tag, -1)
  }
  state.push('tr_close', 'tr', -1)
}
