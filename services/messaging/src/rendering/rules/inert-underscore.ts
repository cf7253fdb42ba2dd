import type { MarkdownIt, StateInline } from 'markdown-it'

const UNDERSCORE = 0x5f

/** Takes underscores as text before emphasis sees them: `snake_case` and `__init__` are common in chat. */
export function inertUnderscores(parser: MarkdownIt): void {
  parser.inline.ruler.before('emphasis', 'inert_underscore', inertUnderscore)
}

function inertUnderscore(state: StateInline, isSilent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== UNDERSCORE) return false
  if (!isSilent) state.pending += '_'
  state.pos += 1
  return true
}
