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
/** The same for letters, which have headings, code and rules too. */
const letterParser = new MarkdownIt('zero', { breaks: true, linkify: true }).enable([
  ...[
    'autolink',
    'backticks',
    'blockquote',
    'code',
    'emphasis',
    'escape',
    'fence',
    'heading',
    'hr',
    'lheading',
  ],
  ...['link', 'linkify', 'list', 'newline', 'strikethrough'],
])
/** Paragraphs and links. */
const plainParser = new MarkdownIt('zero', { breaks: true, linkify: true }).enable(['linkify', 'newline'])

for (const { renderer } of [parser, letterParser]) {
  renderer.rules['s_open'] = () => '<del>'
  renderer.rules['s_close'] = () => '</del>'
}

/** Renders a text about a person or an organization as HTML in paragraphs. Its HTML runs no scripts. */
export function renderShortText(text: string): string {
  return parser.render(text).trimEnd()
}

/** Renders the text of a mail, in Markdown or plain, as HTML in paragraphs. Its HTML runs no scripts. */
export function renderLetter(text: string, isMarkdown: boolean): string {
  return (isMarkdown ? letterParser : plainParser).render(text).trimEnd()
}
