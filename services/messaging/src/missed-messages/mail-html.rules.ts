import { escapeHtml } from '@tms/service-kit'
import { withoutControls } from './controls.rules.ts'

/** A tag or a text of rendered content. Rendered attributes are escaped, so that no tag contains `>` but at its end. */
const PARTS = /<[^>]*>|[^<]+/g
const NAME = /^<\/?([a-z0-9]+)/i
const UNICODE_EMOJI = /^<span [^>]*class="emoji emoji-([0-9a-f-]+)"/
const VOID = new Set(['img', 'br', 'hr', 'input', 'source', 'wbr'])

/** What stands for a hidden part; the reader finds it in the client. */
const HIDDEN = '<p><em>(Open the message to see the hidden text.)</em></p>'

/**
 * Changes rendered content for mail programs, which know neither the client's style nor its addresses: links are
 * absolute, what a spoiler hides is removed, and so are previews; emoji are characters and formulas are TeX.
 */
export function renderForMail(html: string, baseUrl: string): string {
  const parts = withoutControls(html).match(PARTS) ?? []
  const result: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const replaced = replace(parts, i)
    if (replaced) {
      result.push(replaced.html)
      i = replaced.end
    } else result.push(part.startsWith('<') ? absolute(part, baseUrl) : part)
  }
  return result.join('')
}

/** The replacement of the element that begins at `start`, and where the element ends; null to keep it. */
function replace(parts: readonly string[], start: number): { html: string; end: number } | null {
  const tag = parts[start] ?? ''
  const endOf = () => findEnd(parts, start)
  const inner = (end: number) => parts.slice(start + 1, end).join('')
  if (tag.startsWith('<div class="spoiler-content"')) return { html: HIDDEN, end: endOf() }
  if (tag.startsWith('<div') && /class="[^"]*\bmessage_inline_image\b/.test(tag)) {
    const end = endOf()
    return { html: linkOfPreview(inner(end), parts[start - 1]), end }
  }
  const emoji = UNICODE_EMOJI.exec(tag)?.[1]
  if (emoji !== undefined) return { html: characterOf(emoji), end: endOf() }
  if (tag === '<span class="katex-display">' || tag === '<span class="katex">') {
    const end = endOf()
    const tex = /<annotation encoding="application\/x-tex">([^<]*)<\/annotation>/.exec(inner(end))?.[1]
    return tex === undefined ? null : { html: `<code>$$${tex}$$</code>`, end }
  }
  return null
}

/**
 * Previews stand below the link that they show. If the link was nothing but an address, it was replaced by the
 * preview, and is shown again.
 */
function linkOfPreview(inner: string, before: string | undefined): string {
  if (before?.startsWith('</p') || before?.trim() === '') return ''
  const href = /<a [^>]*href="([^"]*)"/.exec(inner)?.[1]
  const title = /<a [^>]*title="([^"]*)"/.exec(inner)?.[1]
  return href === undefined ? '' : `<p><a href="${href}">${title ?? href}</a></p>`
}

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

function characterOf(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

/** The tag with addresses of the organization made absolute, and pictures of emoji as high as a line. */
function absolute(tag: string, baseUrl: string): string {
  const base = escapeHtml(baseUrl)
  const linked = tag.replace(/\b(href|src)="(?=[/#])(?!\/\/)(#?)/g, (_, name: string, hash: string) =>
    hash === '' ? `${name}="${base}` : `${name}="${base}/#`,
  )
  return linked.startsWith('<img') && linked.includes('class="emoji"')
    ? linked.replace('<img', '<img width="20" height="20" style="vertical-align:middle"')
    : linked
}
