import { type ChangeObject, diffArrays } from 'diff'

/** Tags, character references, words, blanks, and single other characters. */
const TOKENS = /<[^>]*>|&[#\w]+;|\s+|[\p{L}\p{N}_]+|[^<]/gu

/**
 * Budget of one response: finding similarities costs the square of the differences, and this takes some 100 ms.
 */
const MAX_STEPS = 1_000_000

/**
 * Renders the differences between two renderings as HTML: the tags of the new one, with added and removed text in
 * spans of the classes `highlight_text_inserted` and `highlight_text_deleted`. Both must be HTML of our own
 * rendering, so the result is as safe.
 *
 * All comparisons of one differ share its budget. If texts have too little in common for the rest of it, the whole
 * old text is shown as replaced by the new one.
 */
export function createHtmlDiffer(): (before: string, after: string) => string {
  let steps = MAX_STEPS
  return (before, after) => {
    const [old, current] = [tokensOf(before), tokensOf(after)]
    // At most half of the remaining budget, so that one new text leaves some for others with few differences.
    const maxEditLength = Math.floor(Math.sqrt(steps / 2))
    const likeness = diffArrays(old, current, { maxEditLength })
    steps -= (likeness ? countDifferences(likeness) : maxEditLength) ** 2
    const replaced = [
      { value: old, removed: true, added: false },
      { value: current, removed: false, added: true },
    ]
    return (likeness ?? replaced).map(showChange).join('')
  }
}

type Change = Pick<ChangeObject<string[]>, 'value' | 'added' | 'removed'>

const countDifferences = (changes: readonly Change[]): number =>
  changes.reduce((count, { value, added, removed }) => count + (added || removed ? value.length : 0), 0)

function showChange({ value, added, removed }: Change): string {
  if (added) return mark(value, 'highlight_text_inserted')
  // Removed tags can't be placed in the new text, unlike the text within.
  return removed
    ? mark(
        value.filter((token) => !isTag(token)),
        'highlight_text_deleted',
      )
    : value.join('')
}

const tokensOf = (html: string): string[] => html.match(TOKENS) ?? []
const isTag = (token: string): boolean => token.startsWith('<')

/** Puts each run of text between tags into a span: a span around tags would not nest. */
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
