import type { Env, MarkdownIt, StateBlock } from 'markdown-it'
import { lineIndent } from '../syntax/block-lines.ts'
import { type CodeLanguage, codeLanguage, fenceLabel } from '../syntax/code-languages.ts'
import { findFenceEnd, readFence } from '../syntax/fences.ts'
import { highlight } from '../syntax/highlight.ts'
import { renderMath } from '../syntax/math.ts'
import { contextOf } from '../syntax/render-context.ts'

/**
 * Fenced and indented code, and fences labelled `math`. Clients expect the empty `span`, a habit of the highlighter
 * that this format comes from.
 */
export function codeBlocks(parser: MarkdownIt): void {
  const { escapeHtml } = parser.utils
  const renderCode = (code: string, language: CodeLanguage | null) => {
    const attribute = language === null ? '' : ` data-code-language="${escapeHtml(language.name)}"`
    const lines = withoutEmptyLinesAround(code)
    const html = language?.grammar ? highlight(lines, language.grammar) : escapeHtml(lines)
    return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>\n`
  }
  const renderFormula = (tex: string, env: Env | undefined) =>
    renderMath(tex, contextOf(env).mathBudget, { isDisplay: true }) ??
    `<span class="tex-error">${escapeHtml(tex)}</span>`
  // All in one paragraph, where clients expect them.
  const renderFormulas = (text: string, env: Env | undefined) => {
    const formulas = text.split(/\n{2,}/).filter((tex) => tex.trim() !== '')
    if (formulas.length === 0) return ''
    return `<p>${formulas.map((tex) => renderFormula(tex.replace(/^\n|\n$/g, ''), env)).join('\n\n')}</p>\n`
  }
  parser.block.ruler.at('fence', fence, { alt: ['paragraph', 'blockquote', 'list'] })
  const { rules } = parser.renderer
  rules.fence = (tokens, index, _options, env) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    if (fenceLabel(info)?.toLowerCase() === 'math') return renderFormulas(content, env)
    return renderCode(
      content,
      codeLanguage(info) ?? codeLanguage(contextOf(env).settings.defaultCodeLanguage),
    )
  }
  rules.code_block = (tokens, index) => renderCode(tokens[index]?.content ?? '', null)
}

function fence(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const found = lineIndent(state, startLine) < 4 ? readFence(state, startLine) : null
  if (!found) return false
  if (isSilent) return true
  const end = findFenceEnd(state, found, startLine + 1, endLine)
  const token = state.push('fence', 'code', 0)
  token.info = `${found.label} ${found.rest}`.trim()
  token.content = state.getLines(startLine + 1, end.line, state.sCount[startLine] ?? 0, true)
  token.markup = found.markup
  token.map = [startLine, end.line]
  state.line = end.isClosed ? end.line + 1 : end.line
  return true
}

/** Removes empty lines around code. Code ends with a line end, unless it is empty. */
function withoutEmptyLinesAround(code: string): string {
  const lastLineEnd = code.indexOf('\n', code.trimEnd().length)
  const lines = code.slice(0, lastLineEnd < 0 ? code.length : lastLineEnd).replace(/^(?:[ \t]*\n)+/, '')
  return lines.trim() === '' ? '' : `${lines}\n`
}
