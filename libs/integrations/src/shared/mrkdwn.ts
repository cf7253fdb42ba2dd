import { block, isOpenable, link, markdown, target } from './markdown.ts'

/**
 * Slack's markup as Markdown. What is between `<` and `>` comes first, then bold, italics and strikes; code is left
 * alone. Mentions become text that notifies nobody.
 */
export function mrkdwn(text: string): string {
  const kept = new KeptParts()
  const withoutCode = kept.withoutMarks(text).replace(CODE, (code) => kept.keep(codeOf(code)))
  const withoutLinks = withSpecials(withoutCode, kept, (label, url) =>
    kept.keep(link(unescaped(marked(label)), url)),
  )
  return markdown(kept.restore(unescaped(withStyles(withoutLinks))))
}

/** The same on a line, without links, as a label can't contain them. */
export function mrkdwnLabel(text: string): string {
  const kept = new KeptParts()
  const line = withSpecials(kept.withoutMarks(text), kept, (label) => label)
  return kept
    .restore(unescaped(marked(line)))
    .replace(/\s+/g, ' ')
    .trim()
}

/** A block, which may have several lines, or a span. */
const CODE = /\n?```[\s\S]*?```\n?|`[^`\n]+`/g
/** A block that is one in Markdown too. */
const FENCED = /^```([\w+#-]*)\n([\s\S]*)\n```$/

function codeOf(written: string): string {
  const code = unescaped(written)
  const fenced = code.trim()
  if (!fenced.startsWith('```') || !fenced.includes('\n')) return code
  const [, language = '', lines = fenced.slice(3, -3).replace(/^\n/, '')] = FENCED.exec(fenced) ?? []
  return `\n${block(lines, language)}\n`
}

/** `<…>`: links, mentions, dates. */
function withSpecials(text: string, kept: KeptParts, linkOf: (label: string, url: string) => string): string {
  return text
    .replace(/<([^<>\n]+)>/g, (written, within: string) => {
      const bar = within.indexOf('|')
      const [what, label] = bar < 0 ? [within, ''] : [within.slice(0, bar), within.slice(bar + 1)]
      if (/^mailto:/i.test(what)) return kept.keep(target(what))
      if (/^[a-z][a-z\d+.-]*:\/\//i.test(what)) {
        const url = unescaped(what)
        if (label === '') return kept.keep(target(url))
        return isOpenable(url) ? linkOf(label, url) : `${label} (${kept.keep(target(url))})`
      }
      return special(what, label) ?? written
    })
    .replace(BARE_ADDRESS, (url) => kept.keep(unescaped(url)))
}

/** Not the marks at its end: `*https://example.com*` is bold. */
const BARE_ADDRESS = /https?:\/\/[^\s<>*`|]*[^\s<>*`|_~]/g

/** Null for what isn't special. */
function special(what: string, label: string): string | null {
  const name = what.slice(1)
  if (what.startsWith('@')) return withPrefix('@', label || name)
  if (what.startsWith('#')) return withPrefix('#', label || name)
  if (!what.startsWith('!')) return null
  const [command = '', first = ''] = name.split('^')
  if (command === 'date' && /^\d{1,11}$/.test(first)) return `<time:${first}>`
  return label === '' ? `@${command}` : withPrefix('@', label)
}

const withPrefix = (prefix: string, name: string): string =>
  name.startsWith(prefix) ? name : `${prefix}${name}`

/** Slack's senders escape these three, after everything else was written. */
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt);/g, (_reference, name: string) => CHARACTERS.get(name) ?? '')

const CHARACTERS = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
])

const withStyles = (text: string): string => text.split('\n').map(marked).join('\n')

/** Bold, italics and strikes of a line. */
const marked = (line: string): string => STYLES.reduce((text, style) => withMarks(text, style), line)

interface Style {
  readonly becomes: string
  readonly opening: RegExp
  readonly closing: RegExp
}

/** Marks stand between characters that aren't of words, without spaces at their inner sides. */
const styleOf = (mark: string, becomes: string): Style => ({
  becomes,
  opening: new RegExp(`(?<![\\p{L}\\p{N}_${mark}])${mark}(?=[^\\s${mark}])`, 'gu'),
  closing: new RegExp(`(?<=[^\\s${mark}])${mark}(?![\\p{L}\\p{N}_${mark}])`, 'gu'),
})

/** In this order: a star means bold in Slack's markup, and italics in Markdown. */
const STYLES = [styleOf('\\*', '**'), styleOf('_', '*'), styleOf('~', '~~')]

/** Pairs each opening mark with the next closing one. Without a closing one, later opening ones have none either. */
function withMarks(line: string, { becomes, opening, closing }: Style): string {
  let [result, from] = ['', 0]
  for (;;) {
    opening.lastIndex = from
    const open = opening.exec(line)
    closing.lastIndex = open ? open.index + 2 : line.length
    const close = open && closing.exec(line)
    if (!open || !close) return result + line.slice(from)
    result += `${line.slice(from, open.index)}${becomes}${line.slice(open.index + 1, close.index)}${becomes}`
    from = close.index + 1
  }
}

/** Finished parts of a text, each represented by a number between two characters that no text has. */
class KeptParts {
  readonly #parts: string[] = []

  /** The text without such characters of its own. */
  withoutMarks(text: string): string {
    return text.replace(/[\uE000\uE001]/g, '').replace(/\r\n?/g, '\n')
  }

  keep(part: string): string {
    return `\uE000${this.#parts.push(part) - 1}\uE001`
  }

  restore(text: string): string {
    return text.replace(/\uE000(\d+)\uE001/g, (_mark, number: string) => this.#parts[Number(number)] ?? '')
  }
}
