import MarkdownIt from 'markdown-it'

/**
 * The part of our Markdown that needs no one else's knowledge: emphasis, code, strike-through, links, lists, quotes, and line
 * breaks. HTML is shown as it was typed, and links lead to where nothing runs.
 */
const parser = new MarkdownIt('zero', { breaks: true, linkify: true }).enable([
  'autolink',
  'backticks',
  'blockquote',
  'emphasis',
  'escape',
  'link',
  'linkify',
  'list',
  'newline',
  'strikethrough',
])
parser.renderer.rules['s_open'] = () => '<del>'
parser.renderer.rules['s_close'] = () => '</del>'

/** A text that someone wrote of themselves, or of an organization, as HTML in paragraphs; nothing in it can run. */
export function renderShortText(text: string): string {
  return parser.render(text).trimEnd()
}
