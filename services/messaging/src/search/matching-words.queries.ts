import type { Queryable } from '@tms/service-kit'

/** Those of these words, in lower case, that have a stem in common with the searched text. */
export async function listMatchingWords(
  db: Queryable,
  searched: string,
  words: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ word: string }>({
    name: 'list-matching-words',
    text: `
      with stems as materialized (select tsvector_to_array(to_tsvector('english', $1)) as stems)
      select word
        from unnest($2::text[]) as candidate (word), stems
       where ts_lexize('english_stem', word) && stems`,
    values: [searched, words],
  })
  return rows.map(({ word }) => word)
}
