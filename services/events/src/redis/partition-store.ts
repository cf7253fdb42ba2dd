import type { QueueRecord } from '@tms/contracts'
import { onRedisConnected, publish, publishCommandOf, type Redis } from '@tms/service-kit/redis'
import type { StreamPositions } from '../log/entry.ts'
import type { Changes } from '../partitions/changes.ts'
import { parseTold, type Told } from '../queues/told.ts'
import { operationsOf, parseRecord, wakeOf } from './commit-operations.ts'
import type { Keys } from './keys.ts'
import * as scripts from './scripts.ts'

/** What a partition's owner finds when it takes over. */
export interface StoredPartition {
  /** Log offset that the state stands at; null for a partition that never had an owner. */
  readonly offset: number | null
  /** Of the entry at that offset; null where none is known. */
  readonly mark: string | null
  readonly positions: StreamPositions
  /** How often something was committed; 0 too where no release has counted yet. */
  readonly commits: number
  readonly queues: readonly StoredQueue[]
}

interface StoredQueue {
  readonly record: QueueRecord
  readonly channelIds: readonly number[]
  /** Empty where the record says that everyone is seen. */
  readonly visibleUserIds: readonly number[]
}

export type CommitOutcome = 'done' | 'fenced' | 'moved'

/** What became of a poll. */
export type PollAnswer =
  | QueueContent
  /** There is no such queue of that user; `offset` as below. */
  | { readonly status: 'gone'; readonly offset: number }
  /** It acknowledged less than was acknowledged before. */
  | { readonly status: 'stale' }
  /** While it was held, a newer one has come to be held. */
  | { readonly status: 'replaced' }
  /** It acknowledged what the queue never had. */
  | { readonly status: 'never' }

/** What waits in a queue. */
export interface QueueContent {
  readonly status: 'ok'
  /** Committed log offset at the moment of reading. */
  readonly offset: number
  /** Of polls of one queue, the newer has the higher; far below what a number can hold. */
  readonly number: number
  readonly record: QueueRecord | null
  /** What may have been told of the events; only where there are any. */
  readonly told: Told
  readonly eventIds: readonly number[]
}

/** A live queue and where its client has come. */
export interface QueueStatus {
  readonly record: QueueRecord
  /** Events that wait to be acknowledged. */
  readonly waiting: number
  /** The last event ID acknowledged; -1 if none. */
  readonly acknowledged: number
  /** UNIX seconds. */
  readonly endsAt: number
}

/** The scripts as typed calls. Every method rejects while Redis is away. */
export interface PartitionStore {
  /** Whether Redis answers at present. */
  isConnected(): boolean
  /** When the newest connection to a master was made, in milliseconds of `Date.now()`. */
  connectedAt(): number
  /** Says that the replica lives and returns all that did within `timeoutMs`. */
  announce(replicaId: string, timeoutMs: number): Promise<string[]>
  /** The replica is no longer live. */
  retire(replicaId: string): Promise<unknown>
  /** Takes the lease if it is free; `token` then fences off every earlier owner. */
  acquire(partition: number, token: string, leaseMs: number): Promise<boolean>
  /** Extends the lease. How often something was committed, or null when the lease is lost. */
  renew(partition: number, token: string, leaseMs: number): Promise<number | null>
  release(partition: number, token: string): Promise<unknown>
  /** Empties the partition and puts it at a log position, which counts as a commit. False when fenced. */
  reset(partition: number, token: string, offset: number, positions: StreamPositions): Promise<boolean>
  load(partition: number): Promise<StoredPartition>
  /**
   * Writes a batch's changes and the offset that it ends at, as one. `traceparents`, by offset, are told to whoever
   * delivers.
   */
  commit(
    partition: number,
    at: CommitPoint,
    changes: Changes,
    traceparents?: Readonly<Record<number, string>>,
  ): Promise<CommitOutcome>
  /** Acknowledges, notes the poll, ends an older one that another replica holds, and reads. */
  poll(partition: number, options: PollOptions): Promise<PollAnswer>
  /** The poll of that number was held and has ended with nothing told. */
  unhold(partition: number, queueId: string, number: number): Promise<unknown>
  /**
   * Makes a queue unknown to polls and ends the one that is held; the owner tidies up when it meets the closing in the log.
   * False for a queue that isn't there.
   */
  forget(partition: number, queueId: string, userId: number): Promise<boolean>
  /** Whether the partition has ever had an owner, so that it stands at a place in the log. */
  isEstablished(partition: number): Promise<boolean>
  exists(partition: number, queueId: string): Promise<boolean>
  /** Drops payloads nobody needs, so many at a time; finds queues that ran out or grew too long, or were deleted. */
  sweep(partition: number, maxBacklog: number): Promise<Sweeping>
  /** When each of these queues ends if nobody polls it, in UNIX seconds. */
  endsOf(partition: number, queueIds: readonly string[]): Promise<Map<string, number>>
  /**
   * Texts of the entries at these offsets, in their order; null is one that the partition doesn't keep any more. They end early,
   * after at least one, where together they are longer than `maxLength`, in bytes.
   */
  payloads(
    partition: number,
    offsets: readonly number[],
    maxLength: number,
  ): Promise<readonly (string | null)[]>
  /** The live queues. Not one moment's: clients poll while they are read. */
  listStandings(partition: number): Promise<QueueStatus[]>
  /** Which replica owns a partition, up to where its queues are fed, and how many they are. */
  describe(partition: number): Promise<{ owner: string | null; offset: number | null; queues: number }>
  /** Makes all other replicas than this one look at once who should own what. */
  tellHandover(replicaId: string): Promise<unknown>
  /** Replicas that live. */
  listReplicas(): Promise<string[]>
}

/** Where a commit starts and ends. */
export interface CommitPoint {
  readonly token: string
  readonly expectedOffset: number
  /** How often something was committed before. */
  readonly expectedCommits: number
  readonly offset: number
  /** Of the entry at that offset. */
  readonly mark: string | null
  readonly positions: StreamPositions
}

/** What a sweep has found. */
export interface Sweeping {
  readonly doomed: readonly string[]
  /** Whether there are more payloads to drop that are older than what any queue refers to. */
  readonly hasOlder: boolean
  /** Whether there are more to look at between those that queues refer to. */
  readonly hasBetween: boolean
}

export interface PollOptions {
  readonly queueId: string
  readonly userId: number
  readonly lastEventId: number | undefined
  /** Whether Redis may have had that event and lost it. */
  readonly mayBeLost: boolean
  /** How much longer than its lifespan the queue lives from now on. */
  readonly graceSeconds: number
  /** The replica that is going to hold the poll, or '' when it doesn't wait. */
  readonly holder: string
  /** Of the poll that was held until now and ends with what is read; null where none was. */
  readonly heldNumber: number | null
  readonly wantsRecord: boolean
  readonly limit: number
}

/** A list counts as so many arguments, without the limit that a call has. */
type Argument = string | number | readonly (string | number)[]

/** A mark is stored with its offset: a replica of a release that has no marks moves the offset alone. */
function readMark(stored: string, offset: number): string | null {
  const prefix = `${offset}:`
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : null
}

/** Defines the scripts on a connection. */
export function createPartitionStore(redis: Redis, keys: Keys): PartitionStore {
  let connectedAt = Date.now()
  onRedisConnected(redis, () => {
    connectedAt = Date.now()
  })
  for (const [name, lua] of Object.entries(scripts))
    redis.defineCommand(`tms${name}`, { lua, numberOfKeys: 1 })
  const publishCommand = publishCommandOf(redis)
  const call = <T>(script: keyof typeof scripts, key: string, ...args: Argument[]): Promise<T> =>
    (redis as unknown as Record<string, (...all: Argument[]) => Promise<T>>)[`tms${script}`]?.(
      key,
      ...args,
    ) as Promise<T>
  const onPartition = <T>(
    script: keyof typeof scripts,
    partition: number,
    ...args: Argument[]
  ): Promise<T> => {
    const prefix = keys.partition(partition)
    return call<T>(script, `${prefix}meta`, prefix, ...args)
  }

  return {
    isConnected: () => redis.status === 'ready',
    connectedAt: () => connectedAt,
    announce: (replicaId, timeoutMs) => call<string[]>('ANNOUNCE', keys.replicas, replicaId, timeoutMs),
    retire: (replicaId) => redis.zrem(keys.replicas, replicaId),

    acquire: async (partition, token, leaseMs) =>
      (await onPartition<number>('ACQUIRE', partition, token, leaseMs)) === 1,
    renew: async (partition, token, leaseMs) => {
      const commits = await onPartition<number>('RENEW', partition, token, leaseMs)
      return commits === -1 ? null : commits
    },
    release: (partition, token) => onPartition<number>('RELEASE', partition, token),
    reset: async (partition, token, offset, positions) =>
      (await onPartition<number>('RESET', partition, token, offset, JSON.stringify(positions))) === 1,

    load: async (partition) => {
      const prefix = keys.partition(partition)
      const [offset, positions, mark, commits] = await redis.hmget(
        `${prefix}meta`,
        ...['offset', 'positions', 'mark', 'commits'],
      )
      const records = Object.values(await redis.hgetall(`${prefix}queues`)).map(parseRecord)
      const queues = await Promise.all(
        records.map(async (record): Promise<StoredQueue> => {
          const [channelIds, visibleUserIds] = await Promise.all([
            redis.smembers(`${prefix}channels:${record.queue_id}`),
            record.guest_visibility ? redis.smembers(`${prefix}seen:${record.queue_id}`) : [],
          ])
          return { record, channelIds: channelIds.map(Number), visibleUserIds: visibleUserIds.map(Number) }
        }),
      )
      return {
        offset: offset === null || offset === undefined ? null : Number(offset),
        mark: readMark(mark ?? '', Number(offset)),
        positions: JSON.parse(positions ?? '{}') as StreamPositions,
        commits: Number(commits ?? 0),
        queues,
      }
    },

    commit: async (partition, at, changes, traceparents) => {
      const wake = wakeOf(changes, traceparents)
      const result = await onPartition<number>(
        'COMMIT',
        partition,
        at.token,
        at.expectedOffset,
        at.offset,
        JSON.stringify(at.positions),
        at.mark === null ? '' : `${at.offset}:${at.mark}`,
        publishCommand,
        keys.wakes(partition),
        wake === null ? '' : JSON.stringify(wake),
        at.expectedCommits,
        operationsOf(changes),
      )
      return result === 1 ? 'done' : result === 0 ? 'fenced' : 'moved'
    },

    poll: async (partition, options) => {
      const [status, offset, record, told, number, ...ids] = await onPartition<string[]>(
        'POLL',
        partition,
        options.queueId,
        options.userId,
        options.lastEventId ?? '',
        options.graceSeconds,
        options.holder,
        options.wantsRecord ? 1 : 0,
        options.limit,
        options.mayBeLost ? 1 : 0,
        options.heldNumber ?? '',
        publishCommand,
      )
      if (status === 'gone') return { status, offset: Number(offset) }
      if (status === 'stale' || status === 'replaced' || status === 'never') return { status }
      return {
        status: 'ok',
        offset: Number(offset),
        number: Number(number),
        record: record ? parseRecord(record) : null,
        told: parseTold(told ?? ''),
        eventIds: ids.map(Number),
      }
    },

    unhold: (partition, queueId, number) => onPartition('UNHOLD', partition, queueId, number),
    forget: async (partition, queueId, userId) =>
      (await onPartition<number>('FORGET', partition, queueId, userId, publishCommand)) === 1,
    isEstablished: async (partition) =>
      (await redis.hexists(`${keys.partition(partition)}meta`, 'offset')) === 1,
    exists: async (partition, queueId) =>
      (await redis.hexists(`${keys.partition(partition)}queues`, queueId)) === 1,
    sweep: async (partition, maxBacklog) => {
      const [older, between, ...doomed] = await onPartition<[number, number, ...string[]]>(
        'SWEEP',
        partition,
        maxBacklog,
      )
      return { doomed, hasOlder: older === 1, hasBetween: between === 1 }
    },

    endsOf: async (partition, queueIds) => {
      const scores = await redis.zmscore(`${keys.partition(partition)}idle`, ...queueIds)
      return new Map(queueIds.map((queueId, at) => [queueId, Number(scores[at] ?? 0)]))
    },

    payloads: (partition, offsets, maxLength) => onPartition('PAYLOADS', partition, maxLength, offsets),
    listStandings: async (partition) => {
      const prefix = keys.partition(partition)
      const [records, acknowledged, idle] = await Promise.all([
        redis.hgetall(`${prefix}queues`),
        redis.hgetall(`${prefix}acked`),
        redis.zrange(`${prefix}idle`, '0', '-1', 'WITHSCORES'),
      ])
      const endsAt = new Map<string, number>()
      for (let at = 0; at < idle.length; at += 2) endsAt.set(idle[at] ?? '', Number(idle[at + 1]))
      return Promise.all(
        Object.entries(records).map(async ([queueId, text]) => ({
          record: parseRecord(text),
          waiting: await redis.llen(`${prefix}q:${queueId}`),
          acknowledged: Number(acknowledged[queueId] ?? -1),
          endsAt: endsAt.get(queueId) ?? 0,
        })),
      )
    },
    describe: async (partition) => {
      const prefix = keys.partition(partition)
      const [offset, queues, lease] = await Promise.all([
        redis.hget(`${prefix}meta`, 'offset'),
        redis.hlen(`${prefix}queues`),
        redis.get(`${prefix}lease`),
      ])
      // A lease's token begins with the replica that took it.
      return { owner: lease?.split(':')[0] ?? null, offset: offset === null ? null : Number(offset), queues }
    },
    tellHandover: (replicaId) => publish(redis, keys.handovers, replicaId),
    listReplicas: () => redis.zrange(keys.replicas, '0', '-1'),
  }
}
