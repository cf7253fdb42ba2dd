import type { StateBlock } from 'markdown-it'

/** A line without the indentation and the markers of the blocks around it. */
export function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0)
}

/** Columns from where the surrounding block's text starts; negative outside of it, 4 or more is code. */
export function lineIndent(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent
}
