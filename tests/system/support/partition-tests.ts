import { describe, expect, test } from 'vitest'
import type { PollAnswer } from '../../../services/events/src/redis/partition-store.ts'
import { openRedisFaults } from '../event-model/redis-faults.ts'
import { type EventsHarness, PARTITIONS, READER } from './events-harness.ts'
import { metricOf } from './observe.ts'
import { openPartitionKeys } from './partition-keys.ts'
import { openScriptedPartition } from './scripted-partition.ts'
import { until } from './until.ts'

const TIMEOUT_MS = 120_000

const numberOf = (answer: PollAnswer): number => {
  if (answer.status !== 'ok') throw new Error(answer.status)
  return answer.number
}

/** Tests of partitions in Redis, for a system with two replicas. */
export function testPartitions(harness: () => EventsHarness): void {
  const tryToRegister = (replica: number) =>
    harness().request(replica, 'POST', `/register?event_types=["message"]`)
  const register = async (): Promise<string> => {
    const { status, body } = await tryToRegister(0)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body['queue_id'] as string
  }
  /** Resolves when a message was delivered to a queue. */
  const waitUntilPublished = (queueId: string, messageId: number): Promise<void> =>
    until(async () => {
      const query = `queue_id=${queueId}&last_event_id=-1&dont_block=true`
      const { body } = await harness().request(0, 'GET', `/events?${query}`, READER)
      return (body.events ?? []).some(({ message }) => message?.id === messageId)
    })
  /** How often partitions were acquired. */
  const countAcquisitions = async (): Promise<number> => {
    const counts = await Promise.all(
      harness().replicas.map(({ url }) => metricOf(url, 'event_partitions_acquired_total')),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  describe('a queue that ends', () => {
    test(
      'and comes back, since Redis lost that second, receives what happens',
      async () => {
        const queueId = await register()
        const keys = await openPartitionKeys(harness().servers)
        expect(await keys.naming(queueId)).not.toEqual([])
        await keys.forget(async () => {
          await keys.runOut(queueId)
          await until(async () => (await keys.naming(queueId)).length === 0)
        })
        await keys.close()

        await harness().message(401)

        await waitUntilPublished(queueId, 401)
      },
      TIMEOUT_MS,
    )

    test(
      'leaves nothing behind, even if it was deleted while its owner and the broker were down',
      async () => {
        const queueId = await register()
        await harness().message(402)
        await waitUntilPublished(queueId, 402)
        const { servers } = harness()
        const [redis, keys] = [await openRedisFaults({ servers }), await openPartitionKeys(servers)]
        expect(await keys.naming(queueId)).not.toEqual([])
        await servers.rabbitmq.stop()
        const { status } = await harness().request(0, 'DELETE', `/events?queue_id=${queueId}`)
        const before = await countAcquisitions()
        await redis.deleteLeases()
        await until(async () => (await countAcquisitions()) >= before + PARTITIONS)

        await until(async () => (await keys.naming(queueId)).length === 0)

        expect(status).toBe(200)
        await servers.rabbitmq.start()
        // The test and both replicas are connected again, which the next step expects.
        const again = harness().message
        await until(async () => (await again(403).catch(() => null)) !== null)
        for (const replica of [0, 1]) await until(async () => (await tryToRegister(replica)).status === 200)
        await Promise.all([redis.close(), keys.close()])
      },
      TIMEOUT_MS,
    )
  })

  describe('a pending poll that reads its queue again', () => {
    test.each(['here', 'elsewhere'])('is superseded by a newer one, which waits %s', async (newerWaiter) => {
      const partition = await openScriptedPartition(harness().servers, ['queue'])
      const older = await partition.poll('queue', 'here')
      const again = await partition.poll('queue', 'here', numberOf(older))
      const newer = await partition.poll('queue', newerWaiter)

      expect(await partition.poll('queue', 'here', numberOf(again))).toEqual({ status: 'superseded' })
      expect(await partition.poll('queue', newerWaiter, numberOf(newer))).toMatchObject({ status: 'ok' })
      await partition.close()
    })
  })

  describe('entries in Redis', () => {
    const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

    test('include those that queues refer to, and recent ones, however far behind a queue is', async () => {
      const partition = await openScriptedPartition(harness().servers, ['left', 'behind', 'lively'])
      await partition.fill(40_000, {
        left: (offset) => offset === 2_000 || offset === 2_001,
        behind: (offset) => offset > 6_000 && offset % 1_000 === 0,
        lively: (offset) => offset === 40_000,
      })

      await partition.sweep()
      // No more at a time than Redis does in a moment.
      expect((await partition.listPayloadOffsets()).length).toBeGreaterThanOrEqual(35_000)
      for (let sweeps = 0; sweeps < 20; sweeps++) await partition.sweep()

      const referred = [2_000, 2_001, ...between(7, 19).map((thousand) => thousand * 1_000)]
      expect(await partition.listPayloadOffsets()).toEqual([...referred, ...between(20_000, 40_000)])

      for (const queueId of ['left', 'behind']) await partition.end(queueId)
      for (let sweeps = 0; sweeps < 20; sweeps++) await partition.sweep()
      expect(await partition.listPayloadOffsets()).toEqual([40_000])
      await partition.close()
    })
  })
}
