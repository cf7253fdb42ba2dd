import type { MarkdownIt } from 'markdown-it'
import { lineText } from '../block-lines.ts'
import { builtInBlockRule } from '../built-in-rules.ts'
import { limitNesting } from './nesting-limit.ts'

const STARTS_LIST = /^(?:[*+-]|\d{1,9}[.)])[ \t]+[^ \t]/

/**
 * Lists. A marker with nothing after it starts none, because `-` or `1.` alone is a whole message in a chat;
 * within a list it is an empty item.
 */
export function lists(parser: MarkdownIt): void {
  const list = limitNesting(builtInBlockRule('list'))
  parser.block.ruler.at(
    'list',
    (state, startLine, endLine, isSilent) =>
      (state.listIndent >= 0 || STARTS_LIST.test(lineText(state, startLine))) &&
      list(state, startLine, endLine, isSilent),
    { alt: ['paragraph', 'blockquote'] },
  )
}
