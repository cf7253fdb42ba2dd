import type { MarkdownIt, StateBlock, Token } from 'markdown-it'
import { lineIndent, lineText } from '../syntax/block-lines.ts'
import { limitNesting } from './nesting-limit.ts'

const MARKER = /^(?:[*+-]|(\d{1,9})\.)(?:[ \t]+|$)/
/** A marker that may begin a list directly below a line of text: a longer number is the end of a sentence. */
const SHORT_MARKER = /^(?:[*+-]|\d\.)[ \t]+[^ \t]/

/** The contents of an item are indented by this much, whatever its marker: `1.` is wider, and nobody counts. */
const ITEM_INDENT = 2

/** The marker of an item. */
interface Marker {
  /** Null for a bullet, of any kind. */
  readonly number: number | null
  readonly length: number
}

/** A parsed item; `start` and `end` are indexes of its tokens. */
interface Item {
  readonly line: number
  readonly start: number
  readonly end: number
}

/**
 * Lists. A marker without text begins no list, because `-` or `1.` alone is a whole message in a chat; within a list
 * it is an empty item.
 */
export function lists(parser: MarkdownIt): void {
  parser.block.ruler.at('list', limitNesting(list), { alt: ['paragraph', 'blockquote'] })
}

function list(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const first = lineIndent(state, startLine) < 4 ? readMarker(state, startLine) : null
  if (!first) return false
  if (isSilent) return mayInterrupt(state, startLine)
  if (isEmptyItem(state, startLine, first)) return false

  const isOrdered = first.number !== null
  const open = isOrdered ? state.push('ordered_list_open', 'ol', 1) : state.push('bullet_list_open', 'ul', 1)
  if (isOrdered && first.number !== 1) open.attrs = [['start', first.number]]
  const { parentType } = state
  state.parentType = 'list'
  const items: Item[] = []
  const indent = itemIndent(state, startLine)
  let marker: Marker | null = first
  for (let line = startLine; marker; marker = nextMarker(state, line, endLine, isOrdered)) {
    items.push(parseItem(state, line, endLine, { marker, indent }))
    line = state.line
  }
  state.parentType = parentType
  open.map = [startLine, state.line]
  if (isOrdered) state.push('ordered_list_close', 'ol', -1)
  else state.push('bullet_list_close', 'ul', -1)
  tighten(state, items)
  return true
}

function readMarker(state: StateBlock, line: number): Marker | null {
  const match = MARKER.exec(lineText(state, line))
  if (!match) return null
  return { number: match[1] === undefined ? null : Number(match[1]), length: match[0].length }
}

const isEmptyItem = (state: StateBlock, line: number, { length }: Marker) =>
  length === lineText(state, line).length

/** Whether the marker on a line ends the paragraph before it. Left of an item's text it is the next item. */
function mayInterrupt(state: StateBlock, line: number): boolean {
  if (lineIndent(state, line) < 0) return true
  const text = lineText(state, line)
  return state.listIndent < 0 ? SHORT_MARKER.test(text) : (MARKER.exec(text)?.[0].length ?? 0) < text.length
}

/** The column from which on lines belong to an item. One space before the markers is ignored. */
function itemIndent(state: StateBlock, line: number): number {
  const before = lineIndent(state, line)
  return state.blkIndent + (before < ITEM_INDENT ? 0 : before) + ITEM_INDENT
}

/** The marker of the next item, or null. */
function nextMarker(state: StateBlock, line: number, endLine: number, isOrdered: boolean): Marker | null {
  if (line >= endLine || lineIndent(state, line) < 0 || lineIndent(state, line) >= 4) return null
  const ends = state.md.block.ruler.getRules('list')
  if (ends.some((startsBlock) => startsBlock(state, line, endLine, true))) return null
  const marker = readMarker(state, line)
  return marker && (marker.number !== null) === isOrdered ? marker : null
}

function parseItem(
  state: StateBlock,
  line: number,
  endLine: number,
  { marker, indent }: { marker: Marker; indent: number },
): Item {
  const { blkIndent, listIndent } = state
  const [bMark = 0, tShift = 0, sCount = 0] = [state.bMarks[line], state.tShift[line], state.sCount[line]]
  const isEmpty = isEmptyItem(state, line, marker)
  const start = state.tokens.length
  state.push('list_item_open', 'li', 1)
  state.listIndent = blkIndent
  state.blkIndent = indent
  // As if the line began behind its marker: the library removes the indentation.
  state.bMarks[line] = bMark + tShift + marker.length
  state.tShift[line] = 0
  state.sCount[line] = indent
  // An item whose first two lines are empty ends there.
  if (isEmpty && state.isEmpty(line + 1)) state.line = Math.min(line + 2, endLine)
  else state.md.block.tokenize(state, line, endLine)
  state.bMarks[line] = bMark
  state.tShift[line] = tShift
  state.sCount[line] = sCount
  state.blkIndent = blkIndent
  state.listIndent = listIndent
  state.push('list_item_close', 'li', -1)
  return { line, start, end: state.tokens.length - 1 }
}

/** Hides the paragraphs of items that no empty line separates from the next or divides. */
function tighten(state: StateBlock, items: readonly Item[]): void {
  const isApart = items.map(({ line }, at) => at > 0 && isSetOff(state, line))
  for (const [at, { start, end }] of items.entries()) {
    const level = (state.tokens[start]?.level ?? 0) + 1
    const blocks = state.tokens.slice(start + 1, end).filter((token) => token.level === level)
    const isDivided = blocks.some(({ map }, index) => index > 0 && map !== null && isSetOff(state, map[0]))
    if (isApart[at] || isApart[at + 1] || isDivided) continue
    for (const block of blocks) if (isParagraph(block)) block.hidden = true
  }
}

const isParagraph = ({ type }: Token) => type === 'paragraph_open' || type === 'paragraph_close'

/**
 * Whether a block begins after an empty line. A list below a line of text, or below an item of the other kind, counts
 * as separated too.
 */
function isSetOff(state: StateBlock, line: number): boolean {
  if (state.isEmpty(line - 1)) return true
  const [before, after] = [shortMarker(state, line - 1), shortMarker(state, line)]
  return after !== null && (before === null || (before === '.') !== (after === '.'))
}

/** The last character of the marker on a line, or null if it has none that could interrupt a paragraph. */
function shortMarker(state: StateBlock, line: number): string | null {
  return /^(?:[*+-]|\d(?=\.))(\.?)(?:[ \t]|$)/.exec(lineText(state, line))?.[1] ?? null
}
