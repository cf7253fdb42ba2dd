import type { MarkdownIt } from 'markdown-it'
import { codeLanguage } from '../code-languages.ts'

/** Fenced and indented code. Clients expect the empty `span`, a habit of the highlighter behind this format. */
export function codeBlocks(parser: MarkdownIt): void {
  const { escapeHtml } = parser.utils
  const render = (code: string, language: string | null) => {
    const attribute = language === null ? '' : ` data-code-language="${escapeHtml(language)}"`
    // A fence that ends with the message has no last newline of its own.
    const lines = code === '' || code.endsWith('\n') ? code : `${code}\n`
    return `<div class="codehilite"${attribute}><pre><span></span><code>${escapeHtml(lines)}</code></pre></div>\n`
  }
  const { rules } = parser.renderer
  rules.fence = (tokens, index) =>
    render(tokens[index]?.content ?? '', codeLanguage(tokens[index]?.info ?? ''))
  rules.code_block = (tokens, index) => render(tokens[index]?.content ?? '', null)
}
