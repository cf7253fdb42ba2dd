import { expect, test } from 'vitest'
import type { QueueState } from '../kernel/queue-state.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Partition } from './partition.ts'
import { findQueuesToClose, pickIdlest } from './sweep.ts'

const queue = (queue_id: string, lifespan_seconds: number) =>
  ({ record: { queue_id, lifespan_seconds } }) as Pick<QueueState, 'record'>

test('of too many queues the least recently polled ones end, regardless of their lifespans', () => {
  const queues = [queue('tab', 600), queue('telephone', 43_200), queue('left', 600), queue('unknown', 600)]
  const endsAt = new Map([
    ['tab', 10_000 + 600],
    ['telephone', 9_000 + 43_200],
    ['left', 9_500 + 600],
  ])

  expect(pickIdlest(queues, endsAt, 2)).toEqual(['unknown', 'telephone'])
})

test.each([
  ['older than all queues', 'hasOlder', 50],
  ['between queues', 'hasBetween', 4],
] as const)('sweeps repeat while there are more payloads %s, up to a maximum', async (_, kind, maxSweeps) => {
  const sweepsFor = async (windows: number) => {
    let sweeps = 0
    const store = {
      sweep: async () => {
        sweeps++
        return {
          queueIdsToClose: [`at ${sweeps}`],
          hasOlder: false,
          hasBetween: false,
          [kind]: sweeps < windows,
        }
      },
    } as unknown as PartitionStore
    const partition = { number: 0, listQueuesOverLimit: () => [] } as unknown as Partition
    const queueIds = await findQueuesToClose(partition, store, { maxBacklog: 1, maxQueuesPerUser: 1 })
    expect(queueIds).toEqual([`at ${sweeps}`])
    return sweeps
  }

  expect(await sweepsFor(1)).toBe(1)
  expect(await sweepsFor(3)).toBe(3)
  expect(await sweepsFor(1_000)).toBe(maxSweeps)
})
