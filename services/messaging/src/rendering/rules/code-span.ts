import type { MarkdownIt, StateInline } from 'markdown-it'
import { builtInInlineRule } from '../syntax/built-in-rules.ts'
import { isEscaped } from '../syntax/escaped.ts'

const RUN = /`+/y

/** Inline code, with its spaces and line ends as typed. A backslash turns backticks into text. */
export function codeSpans(parser: MarkdownIt): void {
  const backticks = builtInInlineRule('backticks')
  parser.inline.ruler.at('backticks', (state, isSilent) => {
    if (state.src.charAt(state.pos) !== '`') return false
    if (isEscaped(state.src, state.pos)) return takeAsText(state, isSilent)
    const { pos: start, tokens } = state
    const { length } = tokens
    backticks(state, isSilent)
    const code = tokens.length > length ? tokens.at(-1) : undefined
    if (code?.type === 'code_inline') {
      code.content = state.src.slice(start + code.markup.length, state.pos - code.markup.length)
    }
    return true
  })
}

function takeAsText(state: StateInline, isSilent: boolean): boolean {
  RUN.lastIndex = state.pos
  const run = RUN.exec(state.src)?.[0] ?? ''
  if (!isSilent) state.pending += run
  state.pos += run.length
  return true
}
