import type { MarkdownIt, StateCore } from 'markdown-it'
import { contextOf } from '../syntax/render-context.ts'

/** Parses inline text like the library's rule of this name, and counts the surrounding quotes for inline rules. */
export function inlineWithQuoteDepth(parser: MarkdownIt): void {
  parser.core.ruler.at('inline', parseInline)
}

function parseInline(state: StateCore): void {
  const context = contextOf(state.env)
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') context.quoteDepth += 1
    if (token.type === 'blockquote_close') context.quoteDepth -= 1
    if (token.type === 'inline')
      state.md.inline.parse(token.content, state.md, state.env, token.children ?? [])
  }
}
