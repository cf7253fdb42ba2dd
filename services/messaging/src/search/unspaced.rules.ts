/**
 * Letters of scripts that put no spaces between words (Thai, Lao, Burmese, Khmer, Japanese, Chinese) or none before
 * what belongs to a word (Korean), as the inside of a character class. The same letters as the database's
 * `unspaced_run()`, by which texts are indexed; a test holds one against the other.
 */
export const UNSPACED =
  '\\u{E00}-\\u{EFF}\\u{1000}-\\u{109F}\\u{1100}-\\u{11FF}\\u{1780}-\\u{17FF}\\u{3005}-\\u{3007}\\u{3040}-\\u{30FA}' +
  '\\u{30FC}-\\u{30FF}\\u{3130}-\\u{318F}\\u{31F0}-\\u{31FF}\\u{3400}-\\u{4DBF}\\u{4E00}-\\u{9FFF}\\u{A960}-\\u{A97F}' +
  '\\u{AC00}-\\u{D7FF}\\u{F900}-\\u{FAFF}\\u{FF66}-\\u{FF9F}\\u{20000}-\\u{3FFFF}'

const RUN = new RegExp(`[${UNSPACED}]+`, 'gu')
/** What few messages have in common is told by its beginning; the rest would only make the question longer. */
const MAX_PAIRS = 50

/** Takes the runs of such letters out of a text. */
export function takeOutRuns(text: string): { runs: string[]; rest: string } {
  return { runs: [...text.matchAll(RUN)].map(([run]) => run), rest: text.replace(RUN, ' ') }
}

/**
 * The `tsquery` that every text with this run in it meets: every two neighbouring letters are indexed, and the last
 * one of each run. Texts that have the letters elsewhere meet it too.
 */
export function pairsQuery(run: string): string {
  const letters = [...run]
  if (letters.length === 1) return `'${run}':*`
  const pairs = letters.slice(1).map((letter, i) => `'${letters[i] ?? ''}${letter}'`)
  return [...new Set(pairs)].slice(0, MAX_PAIRS).join(' & ')
}
