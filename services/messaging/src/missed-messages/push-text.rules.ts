import { withoutControls } from './controls.rules.ts'

/** Characters of a text on a device; more is cut off. */
const MAX_CHARACTERS = 200

const PARTS = /<[^>]*>|[^<]+/g
const NAME = /^<\/?([a-z0-9]+)/i
const UNICODE_EMOJI = /^<span [^>]*class="emoji emoji-([0-9a-f-]+)"/
const TEX = /<annotation encoding="application\/x-tex">([^<]*)<\/annotation>/
const VOID = new Set(['img', 'br', 'hr', 'input', 'source', 'wbr'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/**
 * Rendered content as a short plain text for devices: emoji are characters, pictures their descriptions, quoted lines
 * begin with `> `, and what a spoiler hides is `(…)`.
 */
export function writeForPush(html: string): string {
  const text = textOf(withoutControls(html).match(PARTS) ?? [])
  const characters = [...text.replace(/[ \t]*\n\s*/g, '\n').trim()]
  return characters.length > MAX_CHARACTERS
    ? `${characters.slice(0, MAX_CHARACTERS).join('')}…`
    : characters.join('')
}

function textOf(parts: readonly string[]): string {
  let text = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    if (!part.startsWith('<')) {
      text += decode(part)
      continue
    }
    const replaced = replace(parts, i)
    if (replaced) {
      text += replaced.text
      i = replaced.end
    } else if (/^<(?:br|\/p|\/li|\/div|\/h\d|\/pre|\/tr)\b/.test(part)) text += '\n'
  }
  return text
}

/** The text of the element that begins at `start`, and where it ends; null to read what is in it. */
function replace(parts: readonly string[], start: number): { text: string; end: number } | null {
  const tag = parts[start] ?? ''
  const until = (text: (inner: readonly string[]) => string) => {
    const end = findEnd(parts, start)
    return { text: text(parts.slice(start + 1, end)), end }
  }
  if (tag.startsWith('<div class="spoiler-content"')) return until(() => '(…)\n')
  if (tag.startsWith('<div') && /class="[^"]*\bmessage_inline_image\b/.test(tag)) return until(() => '')
  if (tag.startsWith('<blockquote')) return until((inner) => quote(textOf(inner)))
  if (tag.startsWith('<img')) return { text: decode(/alt="([^"]*)"/.exec(tag)?.[1] ?? ''), end: start }
  const emoji = UNICODE_EMOJI.exec(tag)?.[1]
  if (emoji !== undefined) return until(() => characterOf(emoji))
  if (tag === '<span class="katex-display">' || tag === '<span class="katex">')
    return until((inner) => decode(TEX.exec(inner.join(''))?.[1] ?? ''))
  return null
}

const quote = (text: string): string =>
  `${text
    .trim()
    .split(/\n\s*/)
    .map((line) => `> ${line}`)
    .join('\n')}\n`

function findEnd(parts: readonly string[], start: number): number {
  const name = NAME.exec(parts[start] ?? '')?.[1]
  if (name === undefined || VOID.has(name)) return start
  let depth = 0
  for (let i = start; i < parts.length; i++) {
    const part = parts[i] ?? ''
    if (!part.startsWith('<') || NAME.exec(part)?.[1] !== name) continue
    depth += part.startsWith('</') ? -1 : 1
    if (depth === 0) return i
  }
  return parts.length - 1
}

const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? entity
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity
  })
