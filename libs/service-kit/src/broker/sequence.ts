/** What to do with an entry, given the last one taken from its stream. */
export type Verdict = 'take' | 'repeated' | 'gap'

/**
 * A relay may publish an entry any number of times, and after a failure anything from some entry on may be missing
 * until it publishes again from there. Taking only successors delivers each entry exactly once, in order. The first
 * entry ever read of a stream is taken as it is.
 *
 * `confirmed` is the sequence number up to which the broker had confirmed the stream before this entry was published,
 * if known. In an intact log all entries up to there come before this one. A reader that misses them reads a log that
 * was partly lost or created again: they will never come, so the entry after them is taken.
 */
export function judgeSequence(lastSeq: number | undefined, seq: number, confirmed?: number): Verdict {
  if (lastSeq === undefined || seq === lastSeq + 1) return 'take'
  if (seq <= lastSeq) return 'repeated'
  return seq - 1 === confirmed ? 'take' : 'gap'
}
