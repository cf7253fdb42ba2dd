import type { QueueRecord } from '@tms/contracts'
import type { StreamPositions } from '../log/entry.ts'
import type { Changes } from '../partitions/apply.ts'
import type { Redis } from './client.ts'
import type { Keys } from './keys.ts'
import * as scripts from './scripts.ts'

/** What a partition's owner finds when it takes over. */
export interface StoredPartition {
  /** Log offset that the state stands at; null for a partition that never had an owner. */
  readonly offset: number | null
  readonly positions: StreamPositions
  readonly queues: readonly { record: QueueRecord; channelIds: readonly number[] }[]
}

export type CommitOutcome = 'done' | 'fenced' | 'moved'

export interface PollAnswer {
  readonly status: 'ok' | 'gone' | 'stale'
  /** Committed log offset at the moment of reading. */
  readonly offset: number
  readonly previousHolder: string
  readonly record: QueueRecord | null
  readonly eventIds: readonly number[]
}

/** What other replicas are told of a commit: events by queue, and queues that are new. */
export interface Wake {
  readonly events: Readonly<Record<string, readonly number[]>>
  readonly opened: readonly string[]
}

/** The limit of arguments that Lua's unpack takes at once is about 8,000. */
const MAX_UNPACKED = 5_000

/** Typed calls of the scripts. Every method rejects while Redis is away. */
export function createPartitionStore(redis: Redis, keys: Keys) {
  let connectedAt = Date.now()
  redis.on('ready', () => {
    connectedAt = Date.now()
  })
  const define = (name: string, lua: string) => redis.defineCommand(name, { lua, numberOfKeys: 1 })
  for (const [name, lua] of Object.entries(scripts)) define(`tms${name}`, lua)
  const call = <T>(script: keyof typeof scripts, key: string, ...args: (string | number)[]): Promise<T> =>
    (redis as unknown as Record<string, (...all: (string | number)[]) => Promise<T>>)[`tms${script}`]?.(
      key,
      ...args,
    ) as Promise<T>
  const onPartition = <T>(
    script: keyof typeof scripts,
    partition: number,
    ...args: (string | number)[]
  ): Promise<T> => {
    const prefix = keys.partition(partition)
    return call<T>(script, `${prefix}meta`, prefix, ...args)
  }

  return {
    /** Whether Redis answers at present. */
    isConnected: () => redis.status === 'ready',
    /** When the present connection was made, in milliseconds of `Date.now()`. */
    connectedAt: () => connectedAt,
    announce: (replicaId: string, timeoutMs: number) =>
      call<string[]>('ANNOUNCE', keys.replicas, replicaId, timeoutMs),
    retire: (replicaId: string) => redis.zrem(keys.replicas, replicaId),

    /** Takes the lease if it is free; `token` then fences off every earlier owner. */
    acquire: async (partition: number, token: string, leaseMs: number) =>
      (await onPartition<number>('ACQUIRE', partition, token, leaseMs)) === 1,
    /** The committed offset, or null when the lease is lost. */
    renew: async (partition: number, token: string, leaseMs: number) => {
      const offset = await onPartition<number>('RENEW', partition, token, leaseMs)
      return offset === -2 ? null : offset
    },
    release: (partition: number, token: string) => onPartition<number>('RELEASE', partition, token),
    /** Empties the partition and puts it at a log position. False when fenced. */
    reset: async (partition: number, token: string, offset: number, positions: StreamPositions) =>
      (await onPartition<number>('RESET', partition, token, offset, JSON.stringify(positions))) === 1,

    load: async (partition: number): Promise<StoredPartition> => {
      const prefix = keys.partition(partition)
      const [offset, positions] = await redis.hmget(`${prefix}meta`, 'offset', 'positions')
      const records = Object.entries(await redis.hgetall(`${prefix}queues`))
      const channels = await Promise.all(
        records.map(([queueId]) => redis.smembers(`${prefix}channels:${queueId}`)),
      )
      return {
        offset: offset === null || offset === undefined ? null : Number(offset),
        positions: JSON.parse(positions ?? '{}') as StreamPositions,
        queues: records.map(([, text], index) => ({
          record: parseRecord(text),
          channelIds: (channels[index] ?? []).map(Number),
        })),
      }
    },

    commit: async (
      partition: number,
      at: { token: string; expectedOffset: number; offset: number; positions: StreamPositions },
      changes: Changes,
    ): Promise<CommitOutcome> => {
      const wake = wakeOf(changes)
      const result = await onPartition<number>(
        'COMMIT',
        partition,
        at.token,
        at.expectedOffset,
        at.offset,
        JSON.stringify(at.positions),
        keys.wakes,
        wake === null ? '' : JSON.stringify(wake),
        ...operationsOf(changes),
      )
      return result === 1 ? 'done' : result === 0 ? 'fenced' : 'moved'
    },

    poll: async (
      partition: number,
      options: {
        queueId: string
        userId: number
        lastEventId: number | undefined
        graceSeconds: number
        holder: string
        wantsRecord: boolean
        limit: number
      },
    ): Promise<PollAnswer> => {
      const [status, offset, previousHolder, record, ...ids] = await onPartition<string[]>(
        'POLL',
        partition,
        options.queueId,
        options.userId,
        options.lastEventId ?? '',
        options.graceSeconds,
        options.holder,
        options.wantsRecord ? 1 : 0,
        options.limit,
      )
      return {
        status: status as PollAnswer['status'],
        offset: Number(offset),
        previousHolder: previousHolder ?? '',
        record: record ? parseRecord(record) : null,
        eventIds: ids.map(Number),
      }
    },

    forget: async (partition: number, queueId: string, userId: number) => {
      const [existed, holder] = await onPartition<[number, string]>('FORGET', partition, queueId, userId)
      return { existed: existed === 1, holder }
    },
    /** Whether the partition has ever had an owner, so that it stands at a place in the log. */
    isEstablished: async (partition: number) =>
      (await redis.hexists(`${keys.partition(partition)}meta`, 'offset')) === 1,
    exists: async (partition: number, queueId: string) =>
      (await redis.hexists(`${keys.partition(partition)}queues`, queueId)) === 1,
    sweep: (partition: number, maxBacklog: number) => onPartition<string[]>('SWEEP', partition, maxBacklog),

    /** Text of the entry at an offset, if the partition still keeps it. */
    payload: (partition: number, offset: number): Promise<string | null> =>
      redis.hget(`${keys.partition(partition)}payloads`, String(offset)),
    supersede: (holder: string, queueId: string) => redis.publish(keys.replica(holder), queueId),
  }
}

export type PartitionStore = ReturnType<typeof createPartitionStore>

/** Stored as `user|lifespan|JSON`, so that scripts need not parse JSON at every poll. */
function textOfRecord(record: QueueRecord): string {
  // Subscriptions change and are kept as a set of their own.
  return `${record.user_id}|${record.lifespan_seconds}|${JSON.stringify({ ...record, channel_ids: [] })}`
}

function parseRecord(text: string): QueueRecord {
  return JSON.parse(text.slice(text.indexOf('{'))) as QueueRecord
}

function wakeOf({ deliveries, opened }: Changes): Wake | null {
  if (deliveries.size === 0 && opened.length === 0) return null
  return { events: Object.fromEntries(deliveries), opened: opened.map(({ record }) => record.queue_id) }
}

function operationsOf(changes: Changes): (string | number)[] {
  const operations: (string | number)[] = []
  for (const { record } of changes.opened) {
    for (const [index, part] of chunks(record.channel_ids).entries()) {
      if (index === 0) {
        operations.push(
          'O',
          record.queue_id,
          textOfRecord(record),
          record.lifespan_seconds,
          part.length,
          ...part,
        )
      } else for (const channelId of part) operations.push('A', record.queue_id, channelId)
    }
  }
  for (const { queueId, channelId, isSubscribed } of changes.subscriptions) {
    operations.push(isSubscribed ? 'A' : 'R', queueId, channelId)
  }
  for (const [offset, body] of changes.payloads) operations.push('L', offset, body)
  for (const [queueId, eventIds] of changes.deliveries) {
    for (const part of chunks(eventIds)) operations.push('P', queueId, part.length, ...part)
  }
  for (const queueId of changes.closed) operations.push('C', queueId)
  return operations
}

function chunks(values: readonly number[]): readonly (readonly number[])[] {
  if (values.length <= MAX_UNPACKED) return [values]
  const parts: number[][] = []
  for (let at = 0; at < values.length; at += MAX_UNPACKED) parts.push(values.slice(at, at + MAX_UNPACKED))
  return parts
}
