import { block, code, inline, link, quote } from '../../shared/markdown.ts'

/** Blocks between two like marks, and what is within them. */
const BLOCKS = /\{(code|noformat|quote)(?::([^{}\n]{0,100}))?\}([^]*?)\{\1\}/g
const MAX_BLOCKS = 200

/** Jira's markup as Markdown: what its comments and descriptions use most. */
export function jiraMarkup(written: string): string {
  const text = written.replace(/\r\n?/g, '\n')
  const parts: string[] = []
  let at = 0
  for (const match of text.matchAll(BLOCKS)) {
    // Each search for an end may reach the end of the text.
    if (parts.length > MAX_BLOCKS) break
    const [whole, kind = '', options = '', within = ''] = match
    parts.push(linesOf(text.slice(at, match.index)).trim(), blockOf(kind, options, within))
    at = match.index + whole.length
  }
  parts.push(linesOf(text.slice(at)).trim())
  return parts.filter((part) => part !== '').join('\n')
}

function blockOf(kind: string, options: string, within: string): string {
  const lines = within.replace(/^\n|\n$/g, '')
  if (kind === 'quote') return quote(linesOf(lines))
  return block(lines, kind === 'code' && /^[\w+#-]+$/.test(options) ? options : '')
}

const linesOf = (text: string): string => text.split('\n').map(lineOf).join('\n')

function lineOf(line: string): string {
  const [, level] = /^h([1-6])\. /.exec(line) ?? []
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${styled(line.slice(4))}`
  if (line.startsWith('bq. ')) return `> ${styled(line.slice(4))}`
  if (/^#+ /.test(line)) return `1. ${styled(line.slice(line.indexOf(' ') + 1))}`
  return styled(line)
}

/** Spans of code are left alone, and links keep their addresses. */
const styled = (line: string): string =>
  line
    .split(/(\{\{[^{}\n]+\}\}|\[[^[\]\n]+\])/)
    .map((part, i) => (i % 2 === 0 ? withStyles(part) : spanOf(part)))
    .join('')

const withStyles = (text: string): string =>
  text
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\p{L}\p{N}*])/gu, '**$1**')
    .replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}_])/gu, '*$1*')

function spanOf(span: string): string {
  if (span.startsWith('{{')) return code(span.slice(2, -2)) || span
  const within = span.slice(1, -1)
  if (within.startsWith('~')) return `**${inline(within.slice(1).replace(/^accountid:/, ''))}**`
  const [first = '', address] = within.split('|')
  if (address !== undefined) return link(withStyles(first), address)
  return /^(https?:\/\/|mailto:)\S+$/i.test(first) ? link(first, first) : withStyles(span)
}
