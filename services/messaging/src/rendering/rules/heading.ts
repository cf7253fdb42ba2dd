import type { MarkdownIt } from 'markdown-it'
import { lineText } from '../syntax/block-lines.ts'
import { builtInBlockRule } from '../syntax/built-in-rules.ts'

/** ATX headings. A line of only `#` is text here: nobody sends an empty heading on purpose. */
export function headings(parser: MarkdownIt): void {
  const heading = builtInBlockRule('heading')
  parser.block.ruler.at(
    'heading',
    (state, startLine, endLine, isSilent) =>
      /^#{1,6}[ \t]+[^ \t]/.test(lineText(state, startLine)) && heading(state, startLine, endLine, isSilent),
    { alt: ['paragraph', 'blockquote'] },
  )
}
