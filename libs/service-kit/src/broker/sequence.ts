/** What to do with an entry, given the last one taken from its stream. */
export type Verdict = 'take' | 'repeated' | 'gap'

/**
 * A relay may publish an entry any number of times, and after a failure anything from some entry on may be
 * missing until it publishes again from there. Taking only successors makes that exactly once, in order.
 * The first entry ever seen of a stream is taken as it is.
 *
 * `confirmed` is the place up to which the broker had confirmed all of the stream before this was published, where that is
 * known. All up to there stand before it in a log that is whole, so whoever misses them reads one that was lost in part,
 * or begun anew: they will never come, and what follows them is taken.
 */
export function judgeSequence(lastSeq: number | undefined, seq: number, confirmed?: number): Verdict {
  if (lastSeq === undefined || seq === lastSeq + 1) return 'take'
  if (seq <= lastSeq) return 'repeated'
  return seq - 1 === confirmed ? 'take' : 'gap'
}
