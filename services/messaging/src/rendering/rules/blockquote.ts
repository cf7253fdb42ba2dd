import type { MarkdownIt } from 'markdown-it'
import { builtInBlockRule } from '../built-in-rules.ts'
import { limitNesting } from './nesting-limit.ts'

/** Quotes written with `>`. */
export function blockquotes(parser: MarkdownIt): void {
  parser.block.ruler.at('blockquote', limitNesting(builtInBlockRule('blockquote')), {
    alt: ['paragraph', 'blockquote', 'list'],
  })
}
