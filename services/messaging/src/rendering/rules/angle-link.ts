import type { MarkdownIt } from 'markdown-it'
import { builtInInlineRule } from '../built-in-rules.ts'

/** `<https://…>` and `<name@host>`, but not in the text of a link: the library would put one link in another. */
export function angleLinks(parser: MarkdownIt): void {
  const autolink = builtInInlineRule('autolink')
  parser.inline.ruler.at('autolink', (state, isSilent) => state.linkLevel === 0 && autolink(state, isSilent))
}
