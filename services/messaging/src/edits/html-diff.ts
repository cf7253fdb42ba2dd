import { diffArrays } from 'diff'

/** Beyond so many differences the texts have nothing in common that would be worth finding. */
const MAX_DIFFERENCES = 2_000

/** Tags, character references, words, blanks, and single other characters. */
const TOKENS = /<[^>]*>|&[#\w]+;|\s+|[\p{L}\p{N}_]+|[^<]/gu

/**
 * What differs between two renderings, as HTML: the tags of the new one, with text that came or went in spans of
 * the classes `highlight_text_inserted` and `highlight_text_deleted`. Both must be HTML of our own rendering, so
 * what comes out is as safe.
 */
export function diffHtml(before: string, after: string): string {
  const [old, now] = [tokensOf(before), tokensOf(after)]
  const changes = diffArrays(old, now, { maxEditLength: MAX_DIFFERENCES }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ]
  return changes
    .map(({ value, added, removed }) => {
      if (added) return mark(value, 'highlight_text_inserted')
      // Tags that are gone have no place in the new text; what stood in them has.
      return removed
        ? mark(
            value.filter((token) => !isTag(token)),
            'highlight_text_deleted',
          )
        : value.join('')
    })
    .join('')
}

const tokensOf = (html: string): string[] => html.match(TOKENS) ?? []
const isTag = (token: string): boolean => token.startsWith('<')

/** Puts each stretch of text between tags into a span: one around tags would not nest. */
function mark(tokens: readonly string[], className: string): string {
  let html = ''
  let text = ''
  const flush = () => {
    if (text.trim() !== '') html += `<span class="${className}">${text}</span>`
    else html += text
    text = ''
  }
  for (const token of tokens) {
    if (!isTag(token)) {
      text += token
      continue
    }
    flush()
    html += token
  }
  flush()
  return html
}
