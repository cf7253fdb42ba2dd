import type { MarkdownIt, StateInline } from 'markdown-it'
import { renderMath } from '../syntax/math.ts'
import { contextOf } from '../syntax/render-context.ts'

const TYPE = 'math_inline'

// Amounts of money are no formula: a formula doesn't begin with a space or an underscore, and nothing adjoins its ends.
const INLINE_MATH = /\$\$(?!\$)([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\w$])/y

/** `$$x$$` within a line; mathematical blocks are fences. */
export function inlineMath(parser: MarkdownIt): void {
  parser.inline.ruler.before('backticks', TYPE, (state, isSilent) => {
    const tex = readMath(state)
    if (tex === null) return false
    if (!isSilent) state.push(TYPE, '', 0).content = tex
    state.pos += tex.length + 4
    return true
  })
  const { escapeHtml } = parser.utils
  parser.renderer.rules[TYPE] = (tokens, index, _options, env) => {
    const tex = tokens[index]?.content ?? ''
    return (
      renderMath(tex, contextOf(env).mathBudget, { isDisplay: false }) ??
      `<span class="tex-error">$$${escapeHtml(tex)}$$</span>`
    )
  }
}

function readMath(state: StateInline): string | null {
  if (!state.src.startsWith('$$', state.pos) || /[\w$]/.test(state.src.charAt(state.pos - 1))) return null
  INLINE_MATH.lastIndex = state.pos
  const match = INLINE_MATH.exec(state.src)
  return match && INLINE_MATH.lastIndex <= state.posMax ? (match[1] ?? null) : null
}
