import { randomUUID } from 'node:crypto'
import {
  AppError,
  badRequest,
  type LogEntry,
  type ProjectionsStatus,
  type ReplayStart,
  type ReplayStatus,
} from '@tms/contracts'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Broker } from './connection.ts'
import type { ProjectionConsumer } from './projection-consumer.ts'
import {
  claimReplay,
  findReplay,
  listPositions,
  type Progress,
  type Replay,
  returnReplay,
  saveProgress,
  saveReplay,
} from './projection-replay.queries.ts'
import { type ProjectionSpec, repairProjection } from './projection-spec.ts'
import { findOffsetAt, findStreamEnd, readLogRange } from './stream-range.ts'

/** Records or entries of one round: few enough for a call's time, many enough that a large installation takes minutes. */
const BATCH_SIZE = 1_000
/** Too large keeps a replica's successor waiting when it dies; after less than a round's time two do the same, to no harm. */
const LEASE_MS = 30_000
/** How soon a replica notices what another was asked for. */
const STANDBY_MS = 2_000
/** Between looks whether what was told before is applied. */
const CATCH_UP_MS = 200

/** Compares what is kept of others' facts with what they are, when an operator asks for it. */
export interface ProjectionReplay {
  /** Takes the place of what was asked for before. Throws BAD_REQUEST for an offset to come, SERVICE_UNAVAILABLE while the broker is away. */
  start(from: ReplayStart): Promise<ReplayStatus>
  /** Throws SERVICE_UNAVAILABLE likewise. */
  describe(): Promise<ProjectionsStatus>
  stop(): Promise<void>
}

/**
 * The stream of facts, or the owners' own lists, say what to look at; what is true the owner says, since the stream keeps
 * some days only, and what it once told may be outdated or, after a restored backup, never have happened. What happens once
 * when a fact is told (newcomers' channels, notices) is no fact and doesn't happen again; `settle` tells clients what
 * follows from those that were mended, if they have been told otherwise. One replica works at a time, in rounds of which each
 * may be repeated.
 */
export function startProjectionReplay(options: {
  broker: Broker
  queue: string
  db: Pool
  log: Logger
  consumer: Pick<ProjectionConsumer, 'offset'>
  kinds: readonly ProjectionSpec[]
  settle?: () => Promise<void>
}): ProjectionReplay {
  const { broker, queue, db, log, consumer, kinds, settle } = options
  const stream = { broker, queue, log }

  const loop = startLoop({
    name: 'projection replay',
    log,
    retryMs: STANDBY_MS,
    round: async () => {
      const replay = await claimReplay(db, LEASE_MS)
      if (!replay) return STANDBY_MS
      try {
        // What the stream told before is applied first: it may be older than what the owners say now.
        if (consumer.offset() < replay.endOffset) {
          await returnReplay(db, replay.id)
          return CATCH_UP_MS
        }
        const done = await work(replay)
        if (done.mended > 0) await settle?.()
        await saveProgress(db, replay.id, done)
        if (done.next === null)
          log.info({ replay: replay.id }, 'kept projection are compared with their owners')
        return 0
      } catch (err) {
        await returnReplay(db, replay.id).catch(() => {})
        throw err
      }
    },
  })

  const work = async ({ progress, endOffset }: Replay) =>
    'next' in progress ? lookAtStretch(progress.next, endOffset) : lookAtPage(progress.kind, progress.after)

  const lookAtStretch = async (next: number, end: number) => {
    const entries = next > end ? [] : await readLogRange(stream, { first: next, end }, BATCH_SIZE)
    const told = entries.flatMap(({ body }) => projectionsIn(JSON.parse(body) as LogEntry))
    let [checked, mended] = [0, 0]
    for (const kept of kinds) {
      const ids = [...new Set(told.map(kept.idIn).filter((id) => typeof id === 'number'))]
      if (ids.length === 0) continue
      const projection = await kept.find(ids)
      checked += projection.length
      mended += await repairProjection(db, kept, projection)
    }
    const last = entries.at(-1)?.offset ?? end
    return { checked, mended, next: last >= end ? null : { next: last + 1 } }
  }

  const lookAtPage = async (kind: string, after: number) => {
    const at = kinds.findIndex((each) => each.kind === kind)
    const kept = kinds[at]
    if (!kept) return { checked: 0, mended: 0, next: null }
    const projection = await kept.list(after, BATCH_SIZE)
    const mended = await repairProjection(db, kept, projection)
    const last = projection.at(-1)
    const following = kinds[at + 1]
    const next: Progress | null =
      last !== undefined && projection.length >= BATCH_SIZE
        ? { kind, after: kept.idOf(last) }
        : following === undefined
          ? null
          : { kind: following.kind, after: 0 }
    return { checked: projection.length, mended, next }
  }

  const beginningOf = async (from: ReplayStart, end: number): Promise<Progress> => {
    if (from === 'all') return { kind: kinds[0]?.kind ?? '', after: 0 }
    // Where older entries have gone by, reading begins at the oldest that there is.
    if (from === 'first') return { next: 0 }
    if ('time' in from) {
      return { next: await findOffsetAt(stream, new Date(from.time * 1000)).catch(unavailable) }
    }
    if (from.offset > end) throw badRequest(`The stream of projection ends at offset ${end}`)
    return { next: from.offset }
  }

  return {
    start: async (from) => {
      const endOffset = await findStreamEnd(stream).catch(unavailable)
      const progress = await beginningOf(from, endOffset)
      await saveReplay(db, { id: randomUUID(), endOffset, progress })
      loop.wake()
      const standing = await findReplay(db)
      if (!standing) throw new Error('what was just saved is gone')
      return standing
    },
    describe: async () => {
      const end_offset = await findStreamEnd(stream).catch(unavailable)
      return {
        end_offset,
        offset: consumer.offset(),
        positions: await listPositions(db),
        replay: await findReplay(db),
      }
    },
    stop: loop.stop,
  }
}

function projectionsIn({ payload }: LogEntry): Readonly<Record<string, unknown>>[] {
  const { projection } = payload as { projection?: Readonly<Record<string, unknown>> }
  return projection === undefined ? [] : [projection]
}

function unavailable(cause: unknown): never {
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'RabbitMQ does not answer; try again shortly', cause })
}
