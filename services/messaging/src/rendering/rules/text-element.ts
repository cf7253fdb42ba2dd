import type { MarkdownIt, StateInline, Token } from 'markdown-it'

const TYPE = 'text_element'

type Tag = 'a' | 'span' | 'time'
type Attributes = [name: string, value: string | number][]
/** A part of a text, which may be emphasized. */
export type Part = string | { readonly emphasized: string }

/** Adds an element that contains only text. As one token it is never searched for links or marks. */
export function pushTextElement(
  state: StateInline,
  tag: Tag,
  attributes: Attributes,
  text: string | readonly Part[],
): void {
  fill(state.push(TYPE, tag, 0), attributes, text)
}

/** The same for rules that replace tokens. */
export function createTextElement(
  create: typeof Token,
  tag: Tag,
  attributes: Attributes,
  text: string,
): Token {
  return fill(new create(TYPE, tag, 0), attributes, text)
}

function fill(token: Token, attributes: Attributes, text: string | readonly Part[]): Token {
  const parts = typeof text === 'string' ? [text] : text
  token.attrs = attributes
  token.content = parts.map((part) => (typeof part === 'string' ? part : part.emphasized)).join('')
  token.meta = { parts }
  return token
}

/** Renders the elements of `pushTextElement`. */
export function textElements(parser: MarkdownIt): void {
  const { escapeHtml } = parser.utils
  parser.renderer.rules[TYPE] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]
    if (!token) return ''
    const parts = token.meta?.['parts'] as readonly Part[]
    const html = parts.map((part) =>
      typeof part === 'string' ? escapeHtml(part) : `<em>${escapeHtml(part.emphasized)}</em>`,
    )
    return `<${token.tag}${renderer.renderAttrs(token)}>${html.join('')}</${token.tag}>`
  }
}
