import type { Queryable } from '@tms/service-kit'
import type { Narrow, SearchText } from '../narrow/narrow.ts'
import { type Highlights, highlightHtml, highlightText, wordsOfHtml, wordsOfText } from './highlight.rules.ts'
import { listMatchingWords } from './matching-words.queries.ts'

/** HTML with the search terms highlighted. */
export interface Match {
  readonly match_content: string
  readonly match_subject: string
}

interface Shown {
  readonly id: number
  readonly topic: string
  readonly html: string | null
}

/** Whether a narrow searches for text. */
export function searches({ conditions }: Narrow): boolean {
  return conditions.some(({ kind }) => kind === 'search')
}

/** Highlighted matches of the narrow's search terms in each of these messages, by ID. */
export async function findMatches(
  db: Queryable,
  narrow: Narrow,
  messages: readonly Shown[],
): Promise<ReadonlyMap<number, Match>> {
  const texts = narrow.conditions.flatMap((one): SearchText[] =>
    one.kind === 'search' && !one.isNegated ? [one] : [],
  )
  const searched = texts.map(({ words }) => words).join(' ')
  const words = messages.flatMap(({ topic, html }) => [...wordsOfText(topic), ...wordsOfHtml(html ?? '')])
  const highlights: Highlights = {
    words: new Set(searched.trim() === '' ? [] : await listMatchingWords(db, searched, [...new Set(words)])),
    literals: texts.flatMap(({ runs, literals }) => [...runs, ...literals]),
  }
  return new Map(
    messages.map(({ id, topic, html }) => [
      id,
      {
        match_content: highlightHtml(html ?? '', highlights),
        match_subject: highlightText(topic, highlights),
      },
    ]),
  )
}
