import { withoutControls } from './controls.rules.ts'

/** Characters of a text on a device; more is cut off. */
const MAX_CHARACTERS = 200

/** Characters of HTML that are read: more would take time of requests for a text that is cut off anyway. */
const MAX_HTML = 32_768
/** Characters that `writeForPush` must get of longer ones, so that it sees that they are longer. */
export const MAX_HTML_FOR_PUSH = MAX_HTML + 1

const PARTS = /<[^>]*(?:>|$)|[^<]+/g
const NAME = /^<\/?([a-z0-9]+)/i
const UNICODE_EMOJI = /^<span [^>]*class="emoji emoji-([0-9a-f-]+)"/
const TEX = '<annotation encoding="application/x-tex">'
const LINE_END = /^<(?:br|\/p|\/li|\/div|\/h\d|\/pre|\/tr)\b/
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** An element that isn't read, but for the source of a formula. */
interface Skipped {
  readonly name: string
  depth: number
  isTex: boolean
}

/**
 * Rendered content as a short plain text for devices: emoji are characters, pictures their descriptions, quoted lines
 * begin with `> `, and what a spoiler hides is `(…)`. Reads no further than the text needs.
 */
export function writeForPush(html: string): string {
  const lines = new Lines()
  let skipped: Skipped | null = null
  for (const [part] of withoutControls(html.slice(0, MAX_HTML)).matchAll(PARTS)) {
    if (lines.length > MAX_CHARACTERS * 2) break
    if (skipped) {
      if (skipped.isTex && !part.startsWith('<')) lines.write(decode(part))
      skipped.isTex = part === TEX
      if (NAME.exec(part)?.[1] === skipped.name) skipped.depth += part.startsWith('</') ? -1 : 1
      if (skipped.depth === 0) skipped = null
    } else if (part.startsWith('<')) skipped = readTag(part, lines)
    else lines.write(decode(part))
  }
  const characters = [...lines.toText()]
  const isCut = characters.length > MAX_CHARACTERS || html.length > MAX_HTML
  return `${characters.slice(0, MAX_CHARACTERS).join('')}${isCut ? '…' : ''}`
}

/** The same; a text that many people get is made once. */
export function createPushWriter(write = writeForPush): (html: string) => string {
  const written = new Map<string, string>()
  return (html) => {
    const text = written.get(html) ?? write(html)
    written.set(html, text)
    return text
  }
}

/** Writes what a tag stands for. Returns the element if what is in it isn't read. */
function readTag(tag: string, lines: Lines): Skipped | null {
  const emoji = UNICODE_EMOJI.exec(tag)?.[1]
  if (tag.startsWith('<blockquote')) lines.quote(1)
  else if (tag.startsWith('</blockquote')) lines.quote(-1)
  else if (tag.startsWith('<img')) lines.write(decode(/alt="([^"]*)"/.exec(tag)?.[1] ?? ''))
  else if (tag.startsWith('<div class="spoiler-content"')) {
    lines.write('(…)\n')
    return { name: 'div', depth: 1, isTex: false }
  } else if (tag.startsWith('<div') && /class="[^"]*\bmessage_inline_image\b/.test(tag))
    return { name: 'div', depth: 1, isTex: false }
  else if (emoji !== undefined) {
    lines.write(characterOf(emoji))
    return { name: 'span', depth: 1, isTex: false }
  } else if (tag === '<span class="katex-display">' || tag === '<span class="katex">')
    return { name: 'span', depth: 1, isTex: false }
  else if (LINE_END.test(tag)) lines.end()
  return null
}

/** Lines without the spaces around them, and without empty ones. */
class Lines {
  readonly #done: string[] = []
  #line = ''
  #depth = 0
  /** At least as many characters as the text has, or a few more. */
  length = 0

  write(text: string): void {
    const [first = '', ...others] = text.split('\n')
    this.#add(first)
    for (const other of others) {
      this.end()
      this.#add(other)
    }
  }

  end(): void {
    const line = this.#line.trim()
    if (line !== '') this.#done.push(`${'> '.repeat(this.#depth)}${line}`)
    this.#line = ''
  }

  quote(more: 1 | -1): void {
    this.end()
    this.#depth = Math.max(0, this.#depth + more)
  }

  toText(): string {
    this.end()
    return this.#done.join('\n')
  }

  #add(text: string): void {
    const added = this.#line === '' ? text.trimStart() : text
    this.#line += added
    this.length += added.length
  }
}

const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? entity
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity
  })
