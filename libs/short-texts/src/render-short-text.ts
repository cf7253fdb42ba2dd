import MarkdownIt from 'markdown-it'

/**
 * A part of Markdown that needs no one else's knowledge: emphasis, code, strike-through, links, and line breaks. HTML is
 * shown as it was typed, and links lead to where nothing runs.
 */
const parser = new MarkdownIt('zero', { breaks: true, linkify: true }).enable([
  'autolink',
  'backticks',
  'emphasis',
  'escape',
  'link',
  'linkify',
  'newline',
  'strikethrough',
])
parser.renderer.rules['s_open'] = () => '<del>'
parser.renderer.rules['s_close'] = () => '</del>'

/** A text of a profile as HTML, in paragraphs. */
export function renderProfileText(text: string): string {
  return parser.render(text).trimEnd()
}
