import { onRedisConnected, publish, publishCommandOf, type Redis } from '@tms/service-kit/redis'
import type { StreamPositions } from '../log/entry.ts'
import { commitNoticeOf, operationsOf, parseRecord } from './commit-operations.ts'
import { parseDeliveryBoundaries } from './delivery-boundaries.ts'
import type { Keys } from './keys.ts'
import type { PartitionStore, PollAnswer, StoredQueue } from './partition-store.ts'
import { PollBatches } from './poll-batches.ts'
import * as scripts from './scripts.ts'

/** A list counts as that many arguments, without the limit of a function call. */
type Argument = string | number | readonly (string | number)[]

/** A mark is stored with its offset, and ignored if a release without marks has advanced the offset since. */
function readMark(stored: string, offset: number): string | null {
  const prefix = `${offset}:`
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : null
}

function parsePollAnswer([status, offset, record, boundaries, number, ...ids]: readonly string[]):
  | PollAnswer
  | Error {
  if (status === 'failed') return new Error(offset)
  if (status === 'missing') return { status, offset: Number(offset) }
  if (status === 'stale' || status === 'superseded' || status === 'unknown_event') return { status }
  return {
    status: 'ok',
    offset: Number(offset),
    number: Number(number),
    record: record ? parseRecord(record) : null,
    boundaries: parseDeliveryBoundaries(boundaries ?? ''),
    eventIds: ids.map(Number),
  }
}

/** Defines the scripts on a connection and returns the store. */
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

  const polls = new PollBatches(async (partition, batch) => {
    const args = batch.flatMap((options) => [
      options.queueId,
      options.userId,
      options.lastEventId ?? '',
      options.graceSeconds,
      options.replicaId,
      options.wantsRecord ? 1 : 0,
      options.limit,
      options.isLostCommitPossible ? 1 : 0,
      options.pendingNumber ?? '',
      publishCommand,
      options.isStream ? 1 : 0,
      options.afterId ?? '',
    ])
    return (await onPartition<string[][]>('POLL', partition, args)).map(parsePollAnswer)
  })

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
            record.guest_visibility ? redis.smembers(`${prefix}visible:${record.queue_id}`) : [],
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
      const wake = commitNoticeOf(changes, traceparents)
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
      return result === 1 ? 'done' : result === 0 ? 'fenced' : 'diverged'
    },

    poll: (partition, options) => polls.poll(partition, options),

    acknowledge: async (partition, options) => {
      const [status, offset] = await onPartition<string[]>(
        'ACKNOWLEDGE',
        partition,
        options.queueId,
        options.userId,
        options.lastEventId,
        options.graceSeconds,
        options.isLostCommitPossible ? 1 : 0,
      )
      if (status === 'missing') return { status, offset: Number(offset) }
      return { status: status === 'unknown_event' ? status : 'ok' }
    },
    clearStream: (partition, queueId, number) => onPartition('CLEAR_STREAM', partition, queueId, number),
    clearPendingPoll: (partition, queueId, number) =>
      onPartition('CLEAR_PENDING_POLL', partition, queueId, number),
    deleteQueue: async (partition, queueId, userId) =>
      (await onPartition<number>('DELETE_QUEUE', partition, queueId, userId, publishCommand)) === 1,
    isInitialized: async (partition) =>
      (await redis.hexists(`${keys.partition(partition)}meta`, 'offset')) === 1,
    hasQueue: async (partition, queueId) =>
      (await redis.hexists(`${keys.partition(partition)}queues`, queueId)) === 1,
    sweep: async (partition, maxBacklog) => {
      const [older, between, ...queueIdsToClose] = await onPartition<[number, number, ...string[]]>(
        'SWEEP',
        partition,
        maxBacklog,
      )
      return { queueIdsToClose, hasOlder: older === 1, hasBetween: between === 1 }
    },

    listEndTimes: async (partition, queueIds) => {
      const scores = await redis.zmscore(`${keys.partition(partition)}idle`, ...queueIds)
      return new Map(queueIds.map((queueId, at) => [queueId, Number(scores[at] ?? 0)]))
    },

    payloads: (partition, offsets, maxLength) => onPartition('PAYLOADS', partition, maxLength, offsets),
    listQueueStatuses: async (partition) => {
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
      // A lease's token begins with the ID of the replica that acquired it.
      return { owner: lease?.split(':')[0] ?? null, offset: offset === null ? null : Number(offset), queues }
    },
    publishHandover: (replicaId) => publish(redis, keys.handovers, replicaId),
    listReplicas: () => redis.zrange(keys.replicas, '0', '-1'),
  }
}
