import { z } from 'zod'

/**
 * What of other services' facts to look at again: everything that they have (`all`), or what their stream of facts tells of
 * since an offset, since a time (UNIX seconds) or since its oldest entry (`first`).
 */
export const replayStart = z.union([
  z.literal('all'),
  z.literal('first'),
  z.object({ offset: z.int().nonnegative() }),
  z.object({ time: z.int().nonnegative() }),
])
export type ReplayStart = z.output<typeof replayStart>

/** How far looking again is. */
const replayStatus = z.object({
  id: z.string(),
  /** Offset of the next entry that says what to look at; null where everything is looked at. */
  next_offset: z.int().nullable(),
  /** The last entry of the stream when it was asked for. */
  end_offset: z.int(),
  /** Records that were compared with their owner's. */
  checked: z.int(),
  /** Those of them that were other, or missing. */
  mended: z.int(),
  /** UNIX seconds. */
  started_at: z.int(),
  /** Null while it goes on. */
  finished_at: z.int().nullable(),
})
export type ReplayStatus = z.output<typeof replayStatus>

export const replayAnswer = z.object({ replay: replayStatus })

/** How a service stands with the facts of others. */
export const projectionsAnswer = z.object({
  /** The newest entry of the stream of facts. */
  end_offset: z.int(),
  /** Up to where the replica that answers has read; -1 for one that has just connected. */
  offset: z.int(),
  /** The last place that was applied of each stream of a producer. A restored database begins a stream anew. */
  positions: z.array(z.object({ stream: z.string(), place: z.int() })),
  /** The last that was asked for; null if none ever was. */
  replay: replayStatus.nullable(),
})
export type ProjectionsStatus = z.output<typeof projectionsAnswer>
