import { z } from 'zod'

/**
 * Which records of other services to compare: all of them (`all`), or those in the projections stream since an
 * offset, since a time (UNIX seconds) or since its oldest entry (`first`).
 */
export const replayStart = z.union([
  z.literal('all'),
  z.literal('first'),
  z.object({ offset: z.int().nonnegative() }),
  z.object({ time: z.int().nonnegative() }),
])
export type ReplayStart = z.output<typeof replayStart>

/** Progress of a replay. */
const replayStatus = z.object({
  id: z.string(),
  /** Offset of the next entry to compare; null if all records are compared. */
  next_offset: z.int().nullable(),
  /** The last entry of the stream when the replay was requested. */
  end_offset: z.int(),
  /** Records compared with their owner's. */
  checked: z.int(),
  /** Records that differed or were missing, and were repaired. */
  repaired: z.int(),
  /** UNIX seconds. */
  started_at: z.int(),
  /** Null while it is running. */
  finished_at: z.int().nullable(),
})
export type ReplayStatus = z.output<typeof replayStatus>

export const replayAnswer = z.object({ replay: replayStatus })

/** Status of a service's projections. */
export const projectionsAnswer = z.object({
  /** The newest entry of the projections stream. */
  end_offset: z.int(),
  /** Offset up to which the answering replica has read; -1 if it has just connected. */
  offset: z.int(),
  /** The last sequence number applied of each producer's stream. A restored database begins a new stream. */
  positions: z.array(z.object({ stream: z.string(), seq: z.int() })),
  /** The last requested replay; null if there was none. */
  replay: replayStatus.nullable(),
})
export type ProjectionsStatus = z.output<typeof projectionsAnswer>
