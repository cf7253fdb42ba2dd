/** What to do with an entry, given the last one taken from its stream. */
export type Verdict = 'take' | 'repeated' | 'gap'

/**
 * A relay may publish an entry any number of times, and after a failure anything from some entry on may be
 * missing until it publishes again from there. Taking only successors makes that exactly once, in order.
 * The first entry ever seen of a stream is taken as it is.
 */
export function judgeSequence(lastSeq: number | undefined, seq: number): Verdict {
  if (lastSeq === undefined || seq === lastSeq + 1) return 'take'
  return seq <= lastSeq ? 'repeated' : 'gap'
}
