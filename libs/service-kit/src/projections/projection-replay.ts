import { randomUUID } from 'node:crypto'
import {
  AppError,
  badRequest,
  type LogEntry,
  type ProjectionsStatus,
  type ReplayStart,
  type ReplayStatus,
} from '@tms/contracts'
import type { Broker } from '../broker/connection.ts'
import { findOffsetAt, findStreamEnd, readLogRange } from '../broker/stream-range.ts'
import type { CacheLease } from '../cache-lease/cache-lease.ts'
import type { InternalClient } from '../internal-calls/internal-client.ts'
import { startLoop } from '../lifecycle/loop.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Logger } from '../telemetry/log.ts'
import { repairRecords } from './apply-records.ts'
import type { Projection } from './define-projection.ts'
import { findRecords } from './find-records.ts'
import { pageClient } from './load-projection.ts'
import type { ProjectionConsumer } from './projection-consumer.ts'
import type { ProjectionOwner } from './projection-owner.ts'
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
import { publishAllConsequences } from './publish-consequences.ts'

/**
 * Records or entries per round: few enough for the timeout of a call, many enough that a large installation takes
 * minutes.
 */
const BATCH_SIZE = 1_000
/**
 * Too large delays the successor of a replica that died; if it is shorter than a round, two replicas do the same
 * work, which is harmless.
 */
const LEASE_MS = 30_000
/** How soon a replica notices a replay that was requested from another. */
const STANDBY_MS = 2_000
/** Pause between checks whether this replica has applied everything published before the replay. */
const CATCH_UP_MS = 200

/** Compares projections with their source of truth when an operator requests it. */
export interface ProjectionReplay {
  /**
   * Replaces the previous replay. Throws BAD_REQUEST for an offset beyond the end, SERVICE_UNAVAILABLE while the
   * broker is unavailable.
   */
  start(from: ReplayStart): Promise<ReplayStatus>
  /** Throws SERVICE_UNAVAILABLE while the broker is unavailable. */
  describe(): Promise<ProjectionsStatus>
  stop(): Promise<void>
}

/**
 * The stream, or the owners' own lists, say which records to compare. Their current values always come from the
 * owner: the stream keeps only some days, and its entries may be outdated or, after a restored backup, never have
 * happened. One-time effects of events (channels and notices of new users) don't happen again. One replica works at a
 * time, in rounds, each of which may be repeated.
 */
export function startProjectionReplay(options: {
  broker: Broker
  queue: string
  db: Pool
  call: InternalClient
  log: Logger
  consumer: Pick<ProjectionConsumer, 'offset'>
  owners: readonly ProjectionOwner[]
  lease: Pick<CacheLease, 'refreshAll'>
}): ProjectionReplay {
  const { broker, queue, db, log, consumer, owners, lease } = options
  const call = pageClient(options.call)
  const stream = { broker, queue, log }
  const projections = owners.flatMap((owner) => owner.projections)
  const contracts = new Map(
    owners.flatMap(({ events }) => events).map((event) => [event.name, event.payload]),
  )

  const loop = startLoop({
    name: 'projection replay',
    log,
    retryMs: STANDBY_MS,
    round: async () => {
      const replay = await claimReplay(db, LEASE_MS)
      if (!replay) return STANDBY_MS
      try {
        // Entries published before are applied first: they may be older than what the owners return now.
        if (consumer.offset() < replay.endOffset) {
          await returnReplay(db, replay.id)
          return CATCH_UP_MS
        }
        const done = await runRound(replay)
        if (done.repaired > 0) {
          await publishAllConsequences(db, projections)
          await lease.refreshAll()
        }
        await saveProgress(db, replay.id, done)
        if (done.next === null) log.info({ replay: replay.id }, 'projections were compared with their owners')
        return 0
      } catch (err) {
        await returnReplay(db, replay.id).catch(() => {})
        throw err
      }
    },
  })

  const runRound = async ({ progress, endOffset }: Replay) =>
    'next' in progress ? compareRange(progress.next, endOffset) : comparePage(progress.kind, progress.after)

  const compareRange = async (next: number, end: number) => {
    const entries = next > end ? [] : await readLogRange(stream, { first: next, end }, BATCH_SIZE)
    const events = entries.map(({ body }) => JSON.parse(body) as LogEntry)
    let [checked, repaired] = [0, 0]
    for (const projection of projections) {
      const ids = new Set(events.flatMap((entry) => listIdsIn(projection, entry)))
      if (ids.size === 0) continue
      const records = await projection.load.find(call, [...ids])
      checked += records.length
      repaired += await repairRecords(db, call, projection, records)
    }
    const last = entries.at(-1)?.offset ?? end
    return { checked, repaired, next: last >= end ? null : { next: last + 1 } }
  }

  const listIdsIn = (projection: Projection, { event, payload }: LogEntry): number[] => {
    const contract = contracts.get(event)
    return contract ? findRecords(projection, contract, payload).map((record) => projection.idOf(record)) : []
  }

  const comparePage = async (kind: string, after: number) => {
    const index = projections.findIndex(({ name }) => name === kind)
    const projection = projections[index]
    if (!projection) return { checked: 0, repaired: 0, next: null }
    const limit = Math.min(BATCH_SIZE, projection.load.pageSize)
    const records = await projection.load.list(call, { after, limit })
    const repaired = await repairRecords(db, call, projection, records)
    const last = records.at(-1)
    const nextProjection = projections[index + 1]
    const next: Progress | null =
      last !== undefined && records.length >= limit
        ? { kind, after: projection.idOf(last) }
        : nextProjection === undefined
          ? null
          : { kind: nextProjection.name, after: 0 }
    return { checked: records.length, repaired, next }
  }

  const findStart = async (from: ReplayStart, end: number): Promise<Progress> => {
    if (from === 'all') return { kind: projections[0]?.name ?? '', after: 0 }
    // Where older entries have expired, reading begins at the oldest one.
    if (from === 'first') return { next: 0 }
    if ('time' in from) {
      return { next: await findOffsetAt(stream, new Date(from.time * 1000)).catch(unavailable) }
    }
    if (from.offset > end) throw badRequest(`The projections stream ends at offset ${end}`)
    return { next: from.offset }
  }

  return {
    start: async (from) => {
      const endOffset = await findStreamEnd(stream).catch(unavailable)
      const progress = await findStart(from, endOffset)
      await saveReplay(db, { id: randomUUID(), endOffset, progress })
      loop.wake()
      const status = await findReplay(db)
      if (!status) throw new Error('the replay that was just saved is missing')
      return status
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

function unavailable(cause: unknown): never {
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'RabbitMQ does not answer; try again shortly', cause })
}
