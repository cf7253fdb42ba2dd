import type { MarkdownIt, StateBlock } from 'markdown-it'
import { lineIndent, lineText } from '../syntax/block-lines.ts'
import { builtInBlockRule } from '../syntax/built-in-rules.ts'
import { limitNesting } from './nesting-limit.ts'

const BARE_MARKER = /^>[ \t]*$/

/** Lines of bare markers that quote nothing, as seen by one container. */
interface BareLines {
  readonly start: number
  readonly end: number
  readonly level: number
}

/** The last such lines of each message, so that no line is scanned again from every line before it. */
const knownBareLines = new WeakMap<StateBlock, BareLines>()

/** Quotes written with `>`. Markers that quote nothing are text: an author who sends one wants to show it. */
export function blockquotes(parser: MarkdownIt): void {
  const blockquote = limitNesting(builtInBlockRule('blockquote'))
  parser.block.ruler.at(
    'blockquote',
    (state, startLine, endLine, isSilent) =>
      quotesSomething(state, startLine, endLine) && blockquote(state, startLine, endLine, isSilent),
    { alt: ['paragraph', 'blockquote', 'list'] },
  )
}

function quotesSomething(state: StateBlock, startLine: number, endLine: number): boolean {
  if (!isBareMarker(state, startLine)) return true
  const known = knownBareLines.get(state)
  if (known && known.level === state.level && startLine >= known.start && startLine < known.end) return false

  let end = startLine + 1
  while (end < endLine && isBareMarker(state, end)) end += 1
  if (end < endLine && lineIndent(state, end) < 4 && lineText(state, end).startsWith('>')) return true
  knownBareLines.set(state, { start: startLine, end, level: state.level })
  return false
}

function isBareMarker(state: StateBlock, line: number): boolean {
  return lineIndent(state, line) < 4 && BARE_MARKER.test(lineText(state, line))
}
