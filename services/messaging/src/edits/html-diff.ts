import { type ChangeObject, diffArrays } from 'diff'

/** Tags, character references, words, blanks, and single other characters. */
const TOKENS = /<[^>]*>|&[#\w]+;|\s+|[\p{L}\p{N}_]+|[^<]/gu

/** Of one answer: what it costs to find a likeness grows with the square of the differences, and this takes some 100 ms. */
const MAX_STEPS = 1_000_000

/**
 * Shows what differs between two renderings, as HTML: the tags of the new one, with text that came or went in spans of
 * the classes `highlight_text_inserted` and `highlight_text_deleted`. Both must be HTML of our own rendering, so
 * what comes out is as safe.
 *
 * All that one of these shows shares the time to look for likenesses. Where texts have too little in common for what is
 * left of it, the new one is shown in place of the old one as a whole.
 */
export function createHtmlDiffer(): (before: string, after: string) => string {
  let steps = MAX_STEPS
  return (before, after) => {
    const [old, now] = [tokensOf(before), tokensOf(after)]
    // Half of what is left at most, so that one new text doesn't cost others that differ little.
    const maxEditLength = Math.floor(Math.sqrt(steps / 2))
    const likeness = diffArrays(old, now, { maxEditLength })
    steps -= (likeness ? countDifferences(likeness) : maxEditLength) ** 2
    const replaced = [
      { value: old, removed: true, added: false },
      { value: now, removed: false, added: true },
    ]
    return (likeness ?? replaced).map(showChange).join('')
  }
}

type Change = Pick<ChangeObject<string[]>, 'value' | 'added' | 'removed'>

const countDifferences = (changes: readonly Change[]): number =>
  changes.reduce((count, { value, added, removed }) => count + (added || removed ? value.length : 0), 0)

function showChange({ value, added, removed }: Change): string {
  if (added) return mark(value, 'highlight_text_inserted')
  // Tags that are gone have no place in the new text; what stood in them has.
  return removed
    ? mark(
        value.filter((token) => !isTag(token)),
        'highlight_text_deleted',
      )
    : value.join('')
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
