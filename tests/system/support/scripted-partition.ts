import { randomUUID } from 'node:crypto'
import type { QueueRecord } from '@tms/contracts'
import type { Servers } from '@tms/local-system'
import { closeRedis } from '@tms/service-kit'
import { createChanges } from '../../../services/events/src/delivery/changes.ts'
import { createPartitionStore } from '../../../services/events/src/redis/create-partition-store.ts'
import { keysOf } from '../../../services/events/src/redis/keys.ts'
import type { PollAnswer } from '../../../services/events/src/redis/partition-store.ts'
import { openTestRedis } from './test-redis.ts'

const MAX_BACKLOG = 20_000
/** Payloads and IDs in one commit. */
const BATCH = 5_000

/** A partition in Redis that no replica owns, written as an owner does. */
export interface ScriptedPartition {
  /** Adds entries after the existing ones, and delivers them to each queue at its matching offsets. */
  fill(count: number, matchers: Readonly<Record<string, (offset: number) => boolean>>): Promise<void>
  end(queueId: string): Promise<void>
  /** Reads a queue for a poll that becomes pending; `pendingNumber` is its previous number if it reads again. */
  poll(queueId: string, replicaId: string, pendingNumber?: number): Promise<PollAnswer>
  /** Runs the sweep once. */
  sweep(): Promise<void>
  /** Offsets of the stored payloads, ascending. */
  listPayloadOffsets(): Promise<number[]>
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

  const commit = async (to: number, changes: Partial<ReturnType<typeof createChanges>>) => {
    const at = {
      token,
      expectedOffset: offset,
      expectedCommits: commits,
      offset: to,
      mark: null,
      positions: {},
    }
    const outcome = await store.commit(0, at, { ...createChanges(), ...changes })
    if (outcome !== 'done') throw new Error(outcome)
    offset = to
    commits++
  }
  await commit(0, { opened: queueIds.map(recordOf) })
  return {
    fill: async (count, matchers) => {
      for (const end = offset + count; offset < end; ) {
        const offsets = Array.from(
          { length: Math.min(BATCH, end - offset) },
          (_, index) => offset + 1 + index,
        )
        const deliveries = Object.entries(matchers).map(
          ([queueId, isDelivered]) =>
            [queueId, offsets.filter(isDelivered).map((one) => one * 4096)] as const,
        )
        await commit(offsets.at(-1) ?? offset, {
          payloads: new Map(offsets.map((one) => [one, 'payload'])),
          deliveries: new Map(deliveries.filter(([, ids]) => ids.length > 0)),
        })
      }
    },
    poll: (queueId, replicaId, pendingNumber) =>
      store.poll(0, {
        ...{ queueId, userId: USER, replicaId, pendingNumber: pendingNumber ?? null },
        ...{
          lastEventId: undefined,
          afterId: null,
          isStream: false,
          isLostCommitPossible: false,
          graceSeconds: 60,
          wantsRecord: false,
          limit: 10,
        },
      }),
    end: (queueId) => commit(offset, { closed: [queueId] }),
    sweep: async () => {
      await store.sweep(0, MAX_BACKLOG)
    },
    listPayloadOffsets: async () =>
      (await redis.hkeys(`${keys.partition(0)}payloads`)).map(Number).sort((a, b) => a - b),
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
