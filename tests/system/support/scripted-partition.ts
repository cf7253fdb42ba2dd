import { randomUUID } from 'node:crypto'
import type { QueueRecord } from '@tms/contracts'
import type { Servers } from '@tms/local-system'
import { closeRedis } from '@tms/service-kit'
import { noChanges } from '../../../services/events/src/partitions/changes.ts'
import { createQueueState } from '../../../services/events/src/partitions/queue-state.ts'
import { keysOf } from '../../../services/events/src/redis/keys.ts'
import { createPartitionStore, type PollAnswer } from '../../../services/events/src/redis/partition-store.ts'
import { openTestRedis } from './test-redis.ts'

const MAX_BACKLOG = 20_000
/** Payloads and IDs in one commit. */
const BATCH = 5_000

/** A partition in Redis that no replica knows of, written as its owner does. */
export interface ScriptedPartition {
  /** Adds so many entries after those that are there, of which each queue named is told those at its offsets. */
  fill(count: number, told: Readonly<Record<string, (offset: number) => boolean>>): Promise<void>
  end(queueId: string): Promise<void>
  /**
   * Reads a queue for a poll that a replica is going to hold; `heldNumber` is what it was called before, where it looks again.
   */
  poll(queueId: string, holder: string, heldNumber?: number): Promise<PollAnswer>
  /** One run of the sweep. */
  sweep(): Promise<void>
  /** Offsets of the payloads that are kept, lowest first. */
  kept(): Promise<number[]>
  close(): Promise<void>
}

/** Opens it with these queues; the first entry is at offset 1. */
export async function openScriptedPartition(
  servers: Servers,
  queueIds: readonly string[],
): Promise<ScriptedPartition> {
  const redis = await openTestRedis(servers)
  const keys = keysOf(`scripted-${randomUUID()}`, 1)
  const store = createPartitionStore(redis, keys)
  const token = 'scripted'
  await store.acquire(0, token, 600_000)
  await store.reset(0, token, 0, {})
  let [offset, commits] = [0, 1]

  const commit = async (to: number, changes: Partial<ReturnType<typeof noChanges>>) => {
    const at = {
      token,
      expectedOffset: offset,
      expectedCommits: commits,
      offset: to,
      mark: null,
      positions: {},
    }
    const outcome = await store.commit(0, at, { ...noChanges(), ...changes })
    if (outcome !== 'done') throw new Error(outcome)
    offset = to
    commits++
  }
  await commit(0, { opened: queueIds.map((queueId) => createQueueState(recordOf(queueId))) })
  return {
    fill: async (count, told) => {
      for (const end = offset + count; offset < end; ) {
        const offsets = Array.from(
          { length: Math.min(BATCH, end - offset) },
          (_, index) => offset + 1 + index,
        )
        const deliveries = Object.entries(told).map(
          ([queueId, isTold]) => [queueId, offsets.filter(isTold).map((one) => one * 4096)] as const,
        )
        await commit(offsets.at(-1) ?? offset, {
          payloads: new Map(offsets.map((one) => [one, 'payload'])),
          deliveries: new Map(deliveries.filter(([, ids]) => ids.length > 0)),
        })
      }
    },
    poll: (queueId, holder, heldNumber) =>
      store.poll(0, {
        ...{ queueId, userId: USER, holder, heldNumber: heldNumber ?? null },
        ...{ lastEventId: undefined, mayBeLost: false, graceSeconds: 60, wantsRecord: false, limit: 10 },
      }),
    end: (queueId) => commit(offset, { closed: [queueId] }),
    sweep: async () => {
      await store.sweep(0, MAX_BACKLOG)
    },
    kept: async () => (await redis.hkeys(`${keys.partition(0)}payloads`)).map(Number).sort((a, b) => a - b),
    close: () => closeRedis(redis),
  }
}

const USER = 7

const recordOf = (queue_id: string) =>
  ({
    queue_id,
    user_id: USER,
    realm_id: 1,
    lifespan_seconds: 600,
    snapshots: {},
    ...nothingElse,
  }) as unknown as QueueRecord
const nothingElse = { channel_ids: [], narrow: [], event_types: null, guest_visibility: null }
