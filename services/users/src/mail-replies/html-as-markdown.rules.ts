import { parseFragment } from 'parse5'

/** Characters that are read: a message takes fewer, and reading takes time. */
const MAX_CHARACTERS = 300_000
/** Deeper elements are left out: nobody writes them. */
const MAX_DEPTH = 150

const LEFT_OUT = new Set(['head', 'style', 'script', 'title', 'blockquote', 'img', 'template', 'noscript'])
/** Stands for where a quoted mail begins, of which nothing is kept. */
const END = '\ue001'
/** Elements of Outlook before or around what it quotes. */
const ENDS = /^(?:x_)*(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container)$/
/** Stands for a space that counts. */
const SPACE = '\ue000'
/** Classes of quoted mails and signatures. */
const QUOTES =
  /(?:^|\s)(?:gmail_quote|gmail_quote_container|gmail_signature|moz-cite-prefix|moz-signature|yahoo_quoted|protonmail_quote)(?:\s|$)/
const BLOCKS = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'table',
  'tr',
  'section',
  'article',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])
/** Blocks with an empty line around them. */
const PARAGRAPHS = new Set(['p', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const EMPHASIS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`' }

/** A node as parse5 makes it, as far as it is read. */
interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Node[]
}

/** A mail in HTML as Markdown, without what it quotes and without pictures. */
export function htmlAsMarkdown(html: string): string {
  const [written = ''] = write(parseFragment(html.slice(0, MAX_CHARACTERS)), 0).split(END, 1)
  return (
    written
      // Looking behind keeps it linear for long runs of spaces.
      .replace(/(?<![ \t])[ \t]+\n/g, '\n')
      .replace(/\n[ \t]+(?![*\d])/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
      .replaceAll(SPACE, ' ')
  )
}

function write(node: Node, depth: number): string {
  const { nodeName: name, value } = node
  if (name === '#text') return (value ?? '').replace(/[\s\u200b\ufeff]+/g, ' ')
  if (depth > MAX_DEPTH || LEFT_OUT.has(name) || QUOTES.test(attributeOf(node, 'class'))) return ''
  if (ENDS.test(attributeOf(node, 'id'))) return END
  if (name === 'br') return '\n'
  if (name === 'pre') return `\n\`\`\`\n${textOf(node, depth).trim().replaceAll(' ', SPACE)}\n\`\`\`\n`
  const inner = writeChildren(node, depth)
  if (name === 'a') return linkOf(inner, attributeOf(node, 'href'))
  const mark = EMPHASIS[name]
  if (mark !== undefined) return emphasized(inner, mark)
  if (!BLOCKS.has(name)) return inner
  return PARAGRAPHS.has(name) ? `\n\n${inner.trim()}\n\n` : `\n${withoutSpaces(inner)}\n`
}

function writeChildren({ nodeName, childNodes = [] }: Node, depth: number): string {
  let items = 0
  let written = ''
  for (const child of childNodes) {
    const inner = write(child, depth + 1)
    if (child.nodeName !== 'li') written += inner
    else {
      const mark = nodeName === 'ol' ? `${++items}.` : '*'
      written += `\n${mark} ${inner.trim().replaceAll('\n', '\n  ')}`
    }
  }
  return written
}

/** Without spaces at both ends; an expression for those at the end isn't linear. */
function withoutSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

function linkOf(text: string, href: string): string {
  const shown = text.trim()
  if (!/^https?:\/\//i.test(href) || shown === '') return text
  if (shown === href || `${shown}/` === href) return text
  return `[${shown.replace(/[[\]]/g, '')}](${href.replace(/[()\s]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)})`
}

function emphasized(inner: string, mark: string): string {
  const text = inner.trim()
  if (text === '' || text.includes('\n')) return inner
  const start = inner.slice(0, inner.indexOf(text))
  return `${start}${mark}${text}${mark}${inner.slice(start.length + text.length)}`
}

function textOf({ value, childNodes = [], nodeName }: Node, depth: number): string {
  if (nodeName === 'br') return '\n'
  if (depth > MAX_DEPTH) return ''
  return value ?? childNodes.map((child) => textOf(child, depth + 1)).join('')
}

const attributeOf = ({ attrs = [] }: Node, name: string): string =>
  attrs.find((each) => each.name === name)?.value ?? ''
