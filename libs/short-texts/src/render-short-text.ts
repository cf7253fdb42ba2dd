import MarkdownIt from 'markdown-it'

/**
 * The part of our Markdown that needs no data: emphasis, code, strike-through, links, lists, quotes, and line breaks.
 * HTML is shown as typed, and links never run scripts.
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

/** Renders a text about a person or an organization as HTML in paragraphs. Its HTML runs no scripts. */
export function renderShortText(text: string): string {
  return parser.render(text).trimEnd()
}
