import type { MarkdownIt, StateInline } from 'markdown-it'
import { ownLink } from '../syntax/link-targets.ts'
import { contextOf } from '../syntax/render-context.ts'

/** An address with spaces in it, as copied from a browser. In other texts in parentheses, spaces make them a remark. */
const WITH_SPACES = /^\((https?:\/\/[^\n()"<>]+|\/user_uploads\/[^\n()"<>]+)\)/i
const MAX_LENGTH = 2_048

/** The part after the text of a link. */
interface Destination {
  readonly href: string
  readonly title: string
  readonly end: number
}

/** `[text](address "title")`. Without a text it shows the address; without an address it stays text. */
export function inlineLinks(parser: MarkdownIt): void {
  parser.inline.ruler.at('link', inlineLink)
}

function inlineLink(state: StateInline, isSilent: boolean): boolean {
  if (state.src.charAt(state.pos) !== '[') return false
  const labelStart = state.pos + 1
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true)
  const destination = labelEnd < 0 ? null : readDestination(state, labelEnd + 1)
  if (!destination) return false
  if (!isSilent) pushLink(state, destination, labelStart, labelEnd)
  state.pos = destination.end
  return true
}

function pushLink(
  state: StateInline,
  { href, title }: Destination,
  labelStart: number,
  labelEnd: number,
): void {
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', href], ...(title === '' ? [] : [['title', title] as [string, string]])]
  if (state.src.slice(labelStart, labelEnd).trim() === '') {
    state.push('text', '', 0).content = href
  } else {
    const { posMax } = state
    state.pos = labelStart
    state.posMax = labelEnd
    state.linkLevel += 1
    state.md.inline.tokenize(state)
    state.linkLevel -= 1
    state.posMax = posMax
  }
  state.push('link_close', 'a', -1)
}

/** Reads `(address "title")`; null if there is no allowed address. */
function readDestination(state: StateInline, start: number): Destination | null {
  if (start >= state.posMax || state.src.charAt(start) !== '(') return null
  const read = readStrictly(state, start) ?? readWithSpaces(state, start)
  const href = read === null || read.href === '' ? '' : state.md.normalizeLink(read.href)
  if (!read || href === '' || !state.md.validateLink(href)) return null
  return { ...read, href: ownLink(href, contextOf(state.env).settings.realmUrl) }
}

function readStrictly({ src, posMax, md }: StateInline, start: number): Destination | null {
  const { parseLinkDestination, parseLinkTitle } = md.helpers
  const hrefAt = skipSpaces(src, start + 1)
  const href = parseLinkDestination(src, hrefAt, posMax)
  if (!href.ok) return null
  const titleAt = skipSpaces(src, href.pos)
  const title = titleAt > href.pos ? parseLinkTitle(src, titleAt, posMax) : null
  const end = title?.ok ? skipSpaces(src, title.pos) : titleAt
  if (end >= posMax || src.charAt(end) !== ')') return null
  return { href: href.str, title: title?.ok ? title.str : '', end: end + 1 }
}

function readWithSpaces({ src, posMax }: StateInline, start: number): Destination | null {
  if (!/[h/]/i.test(src.charAt(start + 1))) return null
  const match = WITH_SPACES.exec(src.slice(start, Math.min(posMax, start + MAX_LENGTH)))
  if (!match) return null
  return { href: (match[1] ?? '').trim(), title: '', end: start + match[0].length }
}

function skipSpaces(text: string, start: number): number {
  let pos = start
  while (/[ \t\n]/.test(text.charAt(pos))) pos += 1
  return pos
}
