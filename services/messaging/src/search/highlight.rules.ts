import { escapeHtml } from '@tms/service-kit'
import { UNSPACED } from '../kernel/text/unspaced.rules.ts'

/** What to highlight: words in lower case, and literal parts of the text, ignoring case. */
export interface Highlights {
  readonly words: ReadonlySet<string>
  readonly literals: readonly string[]
}

/** Words are separated from letters of scripts without spaces, which form no words. */
const WORD = new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
/** A tag with its attributes, an entity, or text. The last alternative matches the rest. */
const PIECE = /<(?:"[^"]*"|'[^']*'|[^'">])*>|&(?:#\d+|#x[\da-f]+|\w+);|[^<&]+|[<&]/gi
/** Entities that the renderer writes; others are treated like tags. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&#x27;', "'"],
])

type Run = { readonly text: string } | { readonly markup: string }

/** The words of a text, in lower case. */
export function wordsOfText(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => word.toLowerCase())
}

/** The visible words of HTML, in lower case. */
export function wordsOfHtml(html: string): string[] {
  return runsOf(html).flatMap((run) => ('text' in run ? wordsOfText(run.text) : []))
}

/** The HTML with every hit in `<span class="highlight">`. Changes text only, never a tag or an entity. */
export function highlightHtml(html: string, highlights: Highlights): string {
  return runsOf(html)
    .map((run) => ('text' in run ? highlightText(run.text, highlights) : run.markup))
    .join('')
}

/** A plain text as HTML, with every hit in `<span class="highlight">`. */
export function highlightText(text: string, highlights: Highlights): string {
  let html = ''
  let done = 0
  for (const [start, end] of hitsIn(text, highlights)) {
    html += `${escapeHtml(text.slice(done, start))}<span class="highlight">${escapeHtml(text.slice(start, end))}</span>`
    done = end
  }
  return html + escapeHtml(text.slice(done))
}

/** Positions of the hits, in order; hits that touch or overlap are merged. */
function hitsIn(text: string, { words, literals }: Highlights): [start: number, end: number][] {
  const hits: [number, number][] = []
  const add = ({ 0: found, index }: RegExpExecArray) => hits.push([index, index + found.length])
  for (const match of text.matchAll(WORD)) if (words.has(match[0].toLowerCase())) add(match)
  for (const literal of literals) {
    for (const match of text.matchAll(new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')))
      add(match)
  }
  hits.sort(([a], [b]) => a - b)

  const merged: [number, number][] = []
  for (const [start, end] of hits) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** Splits HTML into visible text, decoded, and markup that stays as it is. */
function runsOf(html: string): Run[] {
  const runs: Run[] = []
  let text = ''
  const endText = () => {
    if (text !== '') runs.push({ text })
    text = ''
  }
  for (const [piece] of html.matchAll(PIECE)) {
    const isText = !(piece.startsWith('<') && piece.endsWith('>')) && !piece.startsWith('&')
    const character = CHARACTERS.get(piece)
    if (isText || character !== undefined) {
      text += character ?? piece
      continue
    }
    endText()
    runs.push({ markup: piece })
  }
  endText()
  return runs
}
