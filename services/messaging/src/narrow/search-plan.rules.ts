/** Looking at the newest messages first pays only if there are enough of them to be worth a query. */
const LEAST_CANDIDATES = 1_000
/** Words come in clusters: this many times what an even spread would need are looked at. */
const MARGIN = 2

/**
 * How to look for a page of `limit` messages with a text that an estimated `matches` of `total` hold: by the
 * number of messages to look at one by one from the page's end on, or null for taking all matches from the index.
 * The first costs the fewer messages the more frequent the text is, the other the more: at worst, when both are
 * even, it is a multiple of the square root of `limit * total`.
 */
export function candidatesToScan(matches: number, total: number, limit: number): number | null {
  const candidates = Math.max(LEAST_CANDIDATES, Math.ceil((MARGIN * limit * total) / Math.max(matches, 1)))
  return candidates < matches ? candidates : null
}
