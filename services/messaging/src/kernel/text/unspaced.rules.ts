/**
 * Letters of scripts that write words without spaces (Thai, Lao, Burmese, Khmer, Japanese, Chinese) or attach
 * particles to words (Korean), as the inside of a character class. The same letters as in the database's
 * `unspaced_run()`, by which texts are indexed; a test compares the two.
 */
export const UNSPACED =
  '\\u{E00}-\\u{EFF}\\u{1000}-\\u{109F}\\u{1100}-\\u{11FF}\\u{1780}-\\u{17FF}\\u{3005}-\\u{3007}\\u{3040}-\\u{30FA}' +
  '\\u{30FC}-\\u{30FF}\\u{3130}-\\u{318F}\\u{31F0}-\\u{31FF}\\u{3400}-\\u{4DBF}\\u{4E00}-\\u{9FFF}\\u{A960}-\\u{A97F}' +
  '\\u{AC00}-\\u{D7FF}\\u{F900}-\\u{FAFF}\\u{FF66}-\\u{FF9F}\\u{20000}-\\u{3FFFF}'

const RUN = new RegExp(`[${UNSPACED}]+`, 'gu')
/** The first pairs are selective enough; more would only make the query longer. */
const MAX_PAIRS = 50

/** Separates the runs of such letters from a text. */
export function takeOutRuns(text: string): { runs: string[]; rest: string } {
  return { runs: [...text.matchAll(RUN)].map(([run]) => run), rest: text.replace(RUN, ' ') }
}

/**
 * The `tsquery` that every text with this run matches: each pair of neighbouring letters is indexed, and the last
 * letter of each run. Texts that have the pairs elsewhere match too.
 */
export function pairsQuery(run: string): string {
  const letters = [...run]
  if (letters.length === 1) return `'${run}':*`
  const pairs = letters.slice(1).map((letter, i) => `'${letters[i] ?? ''}${letter}'`)
  return [...new Set(pairs)].slice(0, MAX_PAIRS).join(' & ')
}
