import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'

const MARK = 'mark'
const STAR = '*'
const STRIKE = '~~'

/** A mark, another whole token, or several nodes in an element. */
type Node = Token | Element

interface Element {
  readonly tags: readonly string[]
  /** The surrounding tokens, if it was an element before, such as a link. */
  readonly ends: readonly [open: Token, close: Token] | null
  readonly within: readonly Node[]
}

/** Positions of the marks of a pair among nodes. */
interface Pair {
  readonly open: number
  readonly close: number
}

/** A way to mark text. */
interface Style {
  readonly tags: readonly string[]
  /** Number of nodes per mark. */
  readonly width: number
  /** The next pair from a position on, or null. All calls together take linear time. */
  readonly findPair: (nodes: readonly Node[], from: number) => Pair | null
}

/** In order of precedence: a later style may be within an earlier one, not the reverse. */
const STYLES: readonly Style[] = [
  { tags: ['strong', 'em'], width: 3, findPair: (nodes, from) => findTightPair(nodes, from, 3) },
  { tags: ['strong'], width: 2, findPair: findBold },
  { tags: ['em'], width: 1, findPair: (nodes, from) => findTightPair(nodes, from, 1) },
  { tags: ['del'], width: 1, findPair: findStrike },
]

/**
 * `**bold**`, `*italic*`, `***both***` and `~~struck through~~`, within a line. Unlike in the library's dialect, the
 * characters around marks don't matter: Chinese has no spaces there. Underscores mark nothing, since `snake_case` and
 * `__init__` are common in chat.
 */
export function marks(parser: MarkdownIt): void {
  parser.inline.ruler.at('emphasis', readMarks)
  parser.inline.ruler.disable('strikethrough')
  parser.inline.ruler2.disable(['balance_pairs', 'strikethrough', 'emphasis'])
  parser.core.ruler.after('inline', 'marks', applyMarks)
}

function readMarks(state: StateInline, isSilent: boolean): boolean {
  const char = state.src.charAt(state.pos)
  if (char !== STAR && char !== '~') return false
  let end = state.pos + 1
  while (end < state.posMax && state.src.charAt(end) === char) end += 1
  const run = state.src.slice(state.pos, end)
  state.pos = end
  if (isSilent) return true
  if (run === STRIKE) state.push(MARK, '', 0).content = run
  else if (char === STAR) for (const star of run) state.push(MARK, '', 0).content = star
  else state.pending += run
  return true
}

function applyMarks(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type !== 'inline' || !block.children?.some((token) => token.type === MARK)) continue
    const tokens: Token[] = []
    for (const token of flat(withStyles(grouped(block.children)), state)) {
      const previous = tokens.at(-1)
      if (previous?.type === 'text' && token.type === 'text') previous.content += token.content
      else tokens.push(token)
    }
    block.children = tokens
  }
}

/** Turns each link into one node: a mark inside doesn't pair with one outside. */
function grouped(tokens: readonly Token[]): Node[] {
  const nodes: Node[] = []
  let link: { open: Token; tokens: Token[] } | null = null
  for (const token of tokens) {
    if (token.type === 'link_open') {
      link = { open: token, tokens: [] }
    } else if (token.type === 'link_close' && link) {
      nodes.push({ tags: [], ends: [link.open, token], within: withStyles(link.tokens) })
      link = null
    } else if (link) {
      link.tokens.push(token)
    } else {
      nodes.push(token)
    }
  }
  return nodes
}

function withStyles(nodes: readonly Node[], first = 0): readonly Node[] {
  const style = STYLES[first]
  if (!style) return nodes
  let pair = style.findPair(nodes, 0)
  if (!pair) return withStyles(nodes, first + 1)
  const result: Node[] = []
  let from = 0
  for (; pair; pair = style.findPair(nodes, from)) {
    for (const node of nodes.slice(from, pair.open)) result.push(node)
    const within = withStyles(nodes.slice(pair.open + style.width, pair.close), first + 1)
    result.push({ tags: style.tags, ends: null, within })
    from = pair.close + style.width
  }
  for (const node of nodes.slice(from)) result.push(node)
  return withStyles(result, first + 1)
}

/** Two stars on each side of a text without line ends, without spaces at its ends, as short as possible. */
function findBold(nodes: readonly Node[], from: number): Pair | null {
  let open: number | null = null
  for (let at = from; at < nodes.length; at += 1) {
    if (isLineEnd(nodes[at])) open = null
    if (!hasMarks(nodes, at, STAR, 2)) continue
    if (open === null) open = isBeforeSpace(nodes, at + 2) ? null : at
    else if (at > open + 2 && !isBehindSpace(nodes, at)) return { open, close: at }
  }
  return null
}

/** Spaces don't matter here: nobody multiplies with tildes. */
function findStrike(nodes: readonly Node[], from: number): Pair | null {
  let open: number | null = null
  for (let at = from; at < nodes.length; at += 1) {
    if (isLineEnd(nodes[at])) open = null
    if (!hasMarks(nodes, at, STRIKE, 1)) continue
    if (open !== null && at > open + 1) return { open, close: at }
    open = at
  }
  return null
}

/** Stars on each side of a text without stars, and without spaces at its ends. */
function findTightPair(nodes: readonly Node[], from: number, width: number): Pair | null {
  let open: number | null = null
  for (let at = from; at < nodes.length; at += 1) {
    if (isLineEnd(nodes[at])) open = null
    if (!hasMarks(nodes, at, STAR, 1)) continue
    const isClosing = hasMarks(nodes, at, STAR, width) && !isBehindSpace(nodes, at)
    if (open !== null && at > open + width && isClosing) return { open, close: at }
    // The last stars before the text.
    const start = at - width + 1
    const isOpening = start >= from && hasMarks(nodes, start, STAR, width) && !isBeforeSpace(nodes, at + 1)
    open = isOpening ? start : null
  }
  return null
}

function hasMarks(nodes: readonly Node[], at: number, mark: string, width: number): boolean {
  for (let i = at; i < at + width; i += 1) {
    const node = nodes[i]
    if (!node || isElement(node) || node.type !== MARK || node.content !== mark) return false
  }
  return true
}

const isElement = (node: Node): node is Element => 'within' in node

function isLineEnd(node: Node | undefined): boolean {
  return node !== undefined && !isElement(node) && (node.type === 'softbreak' || node.type === 'hardbreak')
}

const isBeforeSpace = (nodes: readonly Node[], at: number) => /^\s/.test(textOf(nodes[at]))
const isBehindSpace = (nodes: readonly Node[], at: number) => /\s$/.test(textOf(nodes[at - 1]))

/** The text of a node; empty for other nodes, which count as text without spaces. */
function textOf(node: Node | undefined): string {
  if (!node || isElement(node)) return ''
  return node.type === 'text' || node.type === 'text_special' ? node.content : ''
}

function* flat(nodes: readonly Node[], state: StateCore): Generator<Token> {
  for (const node of nodes) {
    if (!isElement(node)) {
      if (node.type === MARK) node.type = 'text'
      yield node
      continue
    }
    if (node.ends) yield node.ends[0]
    for (const tag of node.tags) yield new state.Token(`${tag}_open`, tag, 1)
    yield* flat(node.within, state)
    for (const tag of node.tags.toReversed()) yield new state.Token(`${tag}_close`, tag, -1)
    if (node.ends) yield node.ends[1]
  }
}
