import type { MarkdownIt, StateBlock } from 'markdown-it'
import { lineText } from '../block-lines.ts'
import { builtInBlockRule } from '../built-in-rules.ts'
import { contextOf } from '../render-context.ts'

/**
 * Rows are filled up to the width of the header, so a wide header over many short lines would make a small
 * message grow a thousandfold. 10,000 code points hold at most 5,000 cells that someone wrote.
 */
const MAX_CELLS = 10_000

/** Pipe tables. What would pass the limit for a message stays text. */
export function tables(parser: MarkdownIt): void {
  const table = builtInBlockRule('table')
  parser.block.ruler.at(
    'table',
    (state, startLine, endLine, isSilent) => {
      if (!table(state, startLine, endLine, true)) return false
      const context = contextOf(state.env)
      const cells = context.tableCells + countCells(state, startLine, endLine)
      if (cells > MAX_CELLS) return false
      if (isSilent) return true
      context.tableCells = cells
      return table(state, startLine, endLine, false)
    },
    { alt: ['paragraph'] },
  )
}

/** At least as many as the table will have: it ends no later than at an empty line. */
function countCells(state: StateBlock, startLine: number, endLine: number): number {
  const columns = lineText(state, startLine).split('|').length
  let line = startLine
  while (line < endLine && !state.isEmpty(line) && columns * (line - startLine) <= MAX_CELLS) line += 1
  return columns * (line - startLine)
}
