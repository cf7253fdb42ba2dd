import type { BlockRule } from '../syntax/built-in-rules.ts'

/**
 * Deep enough for 40 nested quotes or 20 nested lists; each level costs another pass over its lines. Far below the
 * parser's `maxNesting`, at which it drops text silently: deeper markers stay visible.
 */
const MAX_LEVEL = 40

/** Disables a rule for a container block at the deepest level. */
export function limitNesting(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, isSilent) =>
    state.level < MAX_LEVEL && rule(state, startLine, endLine, isSilent)
}
