import { isTopLevelDomain } from './top-level-domains.ts'

/** A bare address in a text, without link syntax; `start` and `end` in code units. */
export interface Address {
  readonly start: number
  readonly end: number
  /** The URL, with a scheme. */
  readonly url: string
}

/** End of a candidate. */
interface End {
  readonly isAddress: boolean
  readonly at: number
}

/** Most texts have no address and none of these. */
const MAYBE_ADDRESS = /:\/\/|@|bitcoin:|[^\s.]\.[^\s.]/

const LETTER = '\\p{L}\\p{M}\\p{N}_'
/** A host name or e-mail address begins at the start of a text, after a space, or after one of these. */
const MAY_START = `(?<![^\\s'"(,:<*~\\p{Ps}\\p{Pi}])`
const CANDIDATE = new RegExp(
  '(?<web>(?<![a-zA-Z0-9.+-])[hH][tT][tT][pP][sS]?://)' +
    `|${MAY_START}(?:` +
    '(?<bitcoin>bitcoin:[13][1-9A-HJ-NP-Za-km-z]{25,34})' +
    `|(?<mail>[${LETTER}.+-]{1,64}@(?:[${LETTER}-]{1,63}\\.){1,30}[${LETTER}]{1,63})` +
    `|(?<host>(?:[${LETTER}-]{1,63}\\.){1,30}(?<domain>[${LETTER}-]{2,63}))` +
    ')',
  'gu',
)
/** User, host and port. */
const AUTHORITY = new RegExp(
  `(?:[\\p{L}\\p{N}_.~!$&'+,;=:%-]{1,100}@)?(?:\\[[0-9a-fA-F:.]{2,45}\\]|[${LETTER}.-]{1,255})(?::\\d{1,5})?`,
  'uy',
)
/** After an address without a scheme only punctuation may follow, up to the next space. */
const SENTENCE_END = /(?:[!:;?),.'">\]}*~]|(?![\0-\x7F])\p{P})*(?:\s|$)/uy
/** If one of these follows, the host is part of something else. */
const NOT_AFTER_HOST = /[@&%\p{L}\p{N}]|(?![<>|`~])\p{S}/uy

const PLAIN_PATH = /[^\s"<>`()[\]{}\u0080-\uFFFF]+/y
const PATH_END = /[\s"<>`)\]}]|(?![\0-\x7F])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Cc}。，、；：！？｡､…]/u
/** At the end of an address these belong to the surrounding sentence. */
const SENTENCE_MARK = /[!:;?,.'*]|(?![\0-\x7F])\p{P}/u

const CLOSING_BY_OPENING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/** The addresses in a text, in order and without overlaps. Linear time. */
export function findAddresses(text: string): Address[] {
  if (!MAYBE_ADDRESS.test(text)) return []
  const found: Address[] = []
  const pairs = findPairs(text)
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    const { web, mail, host, domain = '' } = match.groups ?? {}
    const start = match.index
    const readTo = CANDIDATE.lastIndex
    const end =
      web !== undefined
        ? endOfWebAddress(text, readTo, pairs)
        : host !== undefined
          ? endOfHostAddress(text, readTo, domain, pairs)
          : { isAddress: endsSentence(text, readTo), at: readTo }
    // Text that was read and is no address is not read again, or the time would be quadratic.
    CANDIDATE.lastIndex = end.at
    if (!end.isAddress) continue
    const scheme = mail === undefined ? (host === undefined ? '' : 'http://') : 'mailto:'
    found.push({ start, end: end.at, url: scheme + text.slice(start, end.at) })
  }
  return found
}

/**
 * The end of an address after its scheme. User information is part of it: without it the link would lead to a host of
 * that name.
 */
function endOfWebAddress(text: string, start: number, pairs: Pairs): End {
  AUTHORITY.lastIndex = start
  if (!AUTHORITY.test(text)) return { isAddress: false, at: start }
  const hostEnd = AUTHORITY.lastIndex
  const hasPath = /[/?#]/.test(text.charAt(hostEnd))
  // In `http://a@b@c.com` readers and browsers see different hosts.
  if (!hasPath && matchesAt(NOT_AFTER_HOST, text, hostEnd)) return { isAddress: false, at: hostEnd }
  const at = withoutSentenceMarks(text, start, hasPath ? endOfPath(text, hostEnd, pairs) : hostEnd)
  return { isAddress: URL.canParse(`http://${text.slice(start, at)}`), at }
}

function endOfHostAddress(text: string, hostEnd: number, domain: string, pairs: Pairs): End {
  if (!isTopLevelDomain(domain)) return { isAddress: false, at: hostEnd }
  const hasPath = text.charAt(hostEnd) === '/'
  const at = hasPath ? withoutSentenceMarks(text, hostEnd, endOfPath(text, hostEnd, pairs)) : hostEnd
  return { isAddress: endsSentence(text, at), at }
}

function endOfPath(text: string, start: number, pairs: Pairs): number {
  let end = start
  while (end < text.length) {
    PLAIN_PATH.lastIndex = end
    if (PLAIN_PATH.test(text)) {
      end = PLAIN_PATH.lastIndex
      continue
    }
    const char = text.charAt(end)
    const close = CLOSING_BY_OPENING.has(char) ? pairs.get(end) : end
    if (close === undefined || PATH_END.test(char)) break
    end = close + 1
  }
  return end
}

function withoutSentenceMarks(text: string, start: number, pathEnd: number): number {
  let end = pathEnd
  while (end > start) {
    if (SENTENCE_MARK.test(text.charAt(end - 1))) end -= 1
    // Two or more tildes strike through the text before them.
    else if (text.endsWith('~~', end)) while (text.charAt(end - 1) === '~') end -= 1
    else break
  }
  return end
}

const endsSentence = (text: string, at: number) => matchesAt(SENTENCE_END, text, at)

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Position of the closing bracket by that of the opening one, if both are in one address. */
type Pairs = ReadonlyMap<number, number>

const PAIRING = /[()[\]{}\s"<>`]/g

function findPairs(text: string): Pairs {
  const pairs = new Map<number, number>()
  if (!/[([{]/.test(text)) return pairs
  let open: { at: number; closing: string | undefined }[] = []
  for (const { 0: char, index } of text.matchAll(PAIRING)) {
    const closing = CLOSING_BY_OPENING.get(char)
    if (closing !== undefined) open.push({ at: index, closing })
    else if (!')]}'.includes(char)) open = []
    else if (open.at(-1)?.closing === char) pairs.set(open.pop()?.at ?? index, index)
  }
  return pairs
}
