import type { MarkdownIt, StateInline } from 'markdown-it'

const TYPE = 'text_element'

/** Adds an element that holds only text. As one token it is never searched for links or emphasis. */
export function pushTextElement(
  state: StateInline,
  tag: 'a' | 'span' | 'time',
  attributes: [name: string, value: string | number][],
  text: string,
): void {
  const token = state.push(TYPE, tag, 0)
  token.attrs = attributes
  token.content = text
}

/** Renders what `pushTextElement` added. */
export function textElements(parser: MarkdownIt): void {
  const { escapeHtml } = parser.utils
  parser.renderer.rules[TYPE] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]
    if (!token) return ''
    return `<${token.tag}${renderer.renderAttrs(token)}>${escapeHtml(token.content)}</${token.tag}>`
  }
}
