import type { MarkdownIt, StateInline } from 'markdown-it'
import { type Address, findAddresses } from '../syntax/addresses.ts'
import { ownLink } from '../syntax/link-targets.ts'
import { contextOf, type TextAddresses } from '../syntax/render-context.ts'

/** Text in which no rule but this one can begin. */
const PLAIN_TEXT = /[^\n`*~[\]<&$@#]+/y

/**
 * Turns bare addresses into links. They are found before all other marks, so that no mark within an address means
 * anything.
 */
export function addresses(parser: MarkdownIt): void {
  parser.inline.ruler.at('text', plainText)
  parser.inline.ruler.after('text', 'address', address)
}

/** Consumes the text before the next address or mark. */
function plainText(state: StateInline, isSilent: boolean): boolean {
  PLAIN_TEXT.lastIndex = state.pos
  if (!PLAIN_TEXT.test(state.src)) return false
  const end = Math.min(PLAIN_TEXT.lastIndex, state.posMax, nextAddressAt(state))
  if (end === state.pos) return false
  if (!isSilent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

function address(state: StateInline, isSilent: boolean): boolean {
  const found = state.linkLevel > 0 ? undefined : addressesOf(state).byStart.get(state.pos)
  if (!found || found.end > state.posMax) return false
  const href = state.md.normalizeLink(found.url)
  if (!state.md.validateLink(href)) return false
  if (!isSilent) pushLink(state, ownLink(href, contextOf(state.env).settings.realmUrl), found)
  state.pos = found.end
  return true
}

function pushLink(state: StateInline, href: string, { start, end }: Address): void {
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', href]]
  open.info = 'auto'
  state.push('text', '', 0).content = state.src.slice(start, end)
  state.push('link_close', 'a', -1).info = 'auto'
}

function addressesOf({ src, env }: StateInline): TextAddresses {
  const context = contextOf(env)
  if (context.addresses.text !== src) {
    const all = findAddresses(src)
    context.addresses = { text: src, all, byStart: new Map(all.map((one) => [one.start, one])) }
  }
  return context.addresses
}

/** A link can't contain a link, so none is found inside one. */
function nextAddressAt(state: StateInline): number {
  const { all } = addressesOf(state)
  if (all.length === 0 || state.linkLevel > 0) return state.src.length
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.start ?? 0) < state.pos) low = middle + 1
    else high = middle
  }
  return all[low]?.start ?? state.src.length
}
