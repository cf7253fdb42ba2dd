import type { MarkdownIt, StateInline } from 'markdown-it'
import { builtInInlineRule } from '../built-in-rules.ts'

/** `[text](address)`. Without a text or an address it stays text: such a link could not be seen or followed. */
export function inlineLinks(parser: MarkdownIt): void {
  const link = builtInInlineRule('link')
  parser.inline.ruler.at('link', (state, isSilent) => {
    const start = state.pos
    if (state.src.startsWith('[]', start) || !link(state, true)) return false
    const isEmpty = endsWithoutAddress(state)
    if (isEmpty || !isSilent) state.pos = start
    return !isEmpty && (isSilent || link(state, false))
  })
}

/** Looks back at what the rule has just passed over. */
function endsWithoutAddress(state: StateInline): boolean {
  let open = state.pos - 2
  while (/\s/.test(state.src.charAt(open))) open -= 1
  return state.src.startsWith('](', open - 1)
}
