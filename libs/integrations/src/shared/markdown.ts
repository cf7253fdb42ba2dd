/**
 * A text of the sender within a line of Markdown: no line breaks, and nothing in it mentions users, groups or everyone,
 * or reaches beyond its end. Backslashes escape nothing in our dialect, so character references do.
 */
export function inline(text: string): string {
  const line = withoutMentions(text.replace(/\s+/g, ' ').trim())
  const closed = withPairedDollars(withPairedBackticks(line))
  return /^(`{3}|~{3})/.test(closed) ? `\u200b${closed}` : closed
}

/** A backtick without a partner would make code of what follows. */
function withPairedBackticks(line: string): string {
  if (!line.includes('`')) return line
  const runs = line.match(/`+/g) ?? []
  const isPaired = !/\\`/.test(line) && pairsUp(runs.map(({ length }) => length))
  return isPaired ? line : line.replaceAll('`', '&#96;')
}

/** Whether each length is followed by the same, as code spans have it that contain no backticks of another length. */
const pairsUp = (lengths: readonly number[]): boolean =>
  lengths.length % 2 === 0 && lengths.every((length, i) => i % 2 === 0 || length === lengths[i - 1])

/** The same with dollars, which begin a formula. */
const withPairedDollars = (line: string): string =>
  line.split('$$').length % 2 === 1 ? line : line.replaceAll('$$', '&#36;&#36;')

/** A text of the sender as the label of a link, which a bracket without a partner or another link would end. */
export function label(text: string): string {
  const line = inline(text)
  return hasOnlyPairedBrackets(line) ? line : line.replaceAll('[', '&#91;').replaceAll(']', '&#93;')
}

function hasOnlyPairedBrackets(line: string): boolean {
  if (line.includes('](')) return false
  let depth = 0
  for (const [bracket] of line.matchAll(/[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0 && !/`[^`]*[[\]]/.test(line)
}

/** A link; the bare text if the address isn't one that clients open. */
export function link(text: string, url: string | null | undefined): string {
  return isOpenable(url) ? `[${label(text)}](${target(url)})` : inline(text)
}

/** Longer ones would leave no room in a message. */
const MAX_ADDRESS_LENGTH = 4_000

/** Whether clients open an address. */
export const isOpenable = (url: string | null | undefined): url is string =>
  url !== null &&
  url !== undefined &&
  url.length <= MAX_ADDRESS_LENGTH &&
  /^(https?:\/\/|mailto:)[^\s]/i.test(url)

/** An address within Markdown: whatever ends it, or means something to the text around it, is percent-encoded. */
export const target = (url: string): string =>
  url.trim().replace(/[\s\p{Cc}()<>*`"\\^{|}]/gu, (character) => {
    const number = character.charCodeAt(0)
    return number > 0x7f
      ? encodeURIComponent(character)
      : `%${number.toString(16).toUpperCase().padStart(2, '0')}`
  })

/** Code within a line; a longer fence surrounds backticks. Empty for an empty text. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return ''
  const longest = longestOf(line.match(/`+/g))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** A block of lines between fences, longer than any in the text. */
export function block(text: string, language = ''): string {
  const fence = fenceFor(text, '`')
  return `${fence}${language}\n${text.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n${fence}`
}

/** A quoted text, which is Markdown itself. */
export function quote(text: string): string {
  const inner = markdown(text)
  const fence = fenceFor(inner, '~')
  return `${fence} quote\n${inner}\n${fence}`
}

/** A text of the sender that is Markdown itself: it mentions nobody, and its fences end where it ends. */
export function markdown(text: string): string {
  const inner = withoutMentions(text.replace(/\r\n?/g, '\n').trim())
  return [inner, ...openFences(inner)].join('\n')
}

const FENCE = /^[^\S\n]{0,3}(`{3,}|~{3,})(?=[^`~\n]*$)[ \t]*([^ \t\n]*)/gm

/** The fences that a text leaves open, innermost first. */
function openFences(text: string): string[] {
  const open: { readonly marks: string; readonly isContainer: boolean }[] = []
  for (const [, marks = '', name = ''] of text.matchAll(FENCE)) {
    const innermost = open.at(-1)
    if (innermost?.marks === marks && name === '') open.pop()
    else if (!innermost || innermost.isContainer)
      open.push({ marks, isContainer: /^(quote|quoted|spoiler)$/i.test(name) })
  }
  return open.map(({ marks }) => marks).reverse()
}

const fenceFor = (text: string, character: '`' | '~'): string =>
  character.repeat(
    Math.max(3, longestOf(text.match(character === '`' ? /^[^\S\n]*`{3,}/gm : /^[^\S\n]*~{3,}/gm)) + 1),
  )

/** Not `Math.max(...)`, which a long list overflows. */
const longestOf = (runs: readonly string[] | null): number =>
  (runs ?? []).reduce((longest, run) => Math.max(longest, run.trim().length), 0)

/**
 * Makes mentions silent: a text that comes from outside must not notify anybody, least of all everyone. Wildcards lose
 * their effect altogether, and an `@` at the end can't begin a mention with what follows.
 */
export function withoutMentions(text: string): string {
  return text
    .replace(/@\*\*(all|everyone|channel|stream|topic)\*\*/gi, '@\u200b**$1**')
    .replace(/@\*\*/g, '@_**')
    .replace(/@\*(?!\*)/g, '@_*')
    .replace(/@(_?\**)$/, '@\u200b$1')
}

/** `A`, `A and B`, `A, B and C`. */
export function list(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? ''
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** `1 commit`, `2 commits`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** A sentence with a full stop, unless its end already has punctuation. */
export const sentence = (text: string): string => (/[.!?:…]$/.test(text) ? text : `${text}.`)
