import type { Env, MarkdownIt } from 'markdown-it'
import { builtInBlockRule } from '../built-in-rules.ts'
import { type CodeLanguage, codeLanguage, fenceLabel } from '../code-languages.ts'
import { readFence } from '../fences.ts'
import { highlight } from '../highlight.ts'
import { renderMath } from '../math.ts'
import { contextOf } from '../render-context.ts'

/**
 * Fenced and indented code, and fences labelled `math`. Clients expect the empty `span`, a habit of the highlighter
 * behind this format.
 */
export function codeBlocks(parser: MarkdownIt): void {
  const { escapeHtml } = parser.utils
  const renderCode = (code: string, language: CodeLanguage | null) => {
    const attribute = language === null ? '' : ` data-code-language="${escapeHtml(language.name)}"`
    // A fence that ends with the message has no last newline of its own.
    const lines = code === '' || code.endsWith('\n') ? code : `${code}\n`
    const html = language?.grammar ? highlight(lines, language.grammar) : escapeHtml(lines)
    return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>\n`
  }
  const renderFormulas = (text: string, env: Env | undefined) => {
    const formulas = text.split(/\n{2,}/).filter((tex) => tex.trim() !== '')
    return formulas.map((tex) => {
      const html =
        renderMath(tex, contextOf(env).mathUse, { isDisplay: true }) ??
        `<span class="tex-error">${escapeHtml(tex.trim())}</span>`
      return `<p>${html}</p>\n`
    })
  }
  const fence = builtInBlockRule('fence')
  parser.block.ruler.at(
    'fence',
    (state, startLine, endLine, isSilent) =>
      readFence(state, startLine) !== null && fence(state, startLine, endLine, isSilent),
    { alt: ['paragraph', 'blockquote', 'list'] },
  )
  const { rules } = parser.renderer
  rules.fence = (tokens, index, _options, env) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    if (fenceLabel(info) === 'math') return renderFormulas(content, env).join('')
    return renderCode(
      content,
      codeLanguage(info) ?? codeLanguage(contextOf(env).settings.defaultCodeLanguage),
    )
  }
  rules.code_block = (tokens, index) => renderCode(tokens[index]?.content ?? '', null)
}
