import type { BlockRule } from '../built-in-rules.ts'

/**
 * Deep enough for 40 quotes or 20 lists in each other; every level costs another pass over the lines within.
 * Far below the parser's `maxNesting`, at which it drops text without a trace: deeper markers stay visible.
 */
const MAX_LEVEL = 40

/** Makes a rule for a block that holds blocks not apply at the deepest level. */
export function limitNesting(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, isSilent) =>
    state.level < MAX_LEVEL && rule(state, startLine, endLine, isSilent)
}
