import { describe, expect, test } from 'vitest'
import type { PollAnswer } from '../../../services/events/src/redis/partition-store.ts'
import { findRedis } from '../event-model/struck-redis.ts'
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

/** Tests of what partitions keep in Redis, for a system with two replicas. */
export function testPartitions(harness: () => EventsHarness): void {
  const tryToRegister = (replica: number) =>
    harness().request(replica, 'POST', `/register?event_types=["message"]`)
  const register = async (): Promise<string> => {
    const { status, body } = await tryToRegister(0)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body['queue_id'] as string
  }
  /** Resolves when a queue has been told of a message. */
  const waitUntilPublished = (queueId: string, messageId: number): Promise<void> =>
    until(async () => {
      const query = `queue_id=${queueId}&last_event_id=-1&dont_block=true`
      const { body } = await harness().request(0, 'GET', `/events?${query}`, READER)
      return (body.events ?? []).some(({ message }) => message?.id === messageId)
    })
  /** How often partitions were taken. */
  const countTaken = async (): Promise<number> => {
    const counts = await Promise.all(
      harness().replicas.map(({ url }) => metricOf(url, 'event_partitions_taken_total')),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  describe('a queue that ends', () => {
    test(
      'and is back, since Redis lost the second in which it did, is told what happens',
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
      'leaves nothing behind, even if it was deleted while its owner and the broker were away',
      async () => {
        const queueId = await register()
        await harness().message(402)
        await waitUntilPublished(queueId, 402)
        const { servers } = harness()
        const [redis, keys] = [await findRedis({ servers }), await openPartitionKeys(servers)]
        expect(await keys.naming(queueId)).not.toEqual([])
        await servers.rabbitmq.stop()
        const { status } = await harness().request(0, 'DELETE', `/events?queue_id=${queueId}`)
        const before = await countTaken()
        await redis.takeLeases()
        await until(async () => (await countTaken()) >= before + PARTITIONS)

        await until(async () => (await keys.naming(queueId)).length === 0)

        expect(status).toBe(200)
        await servers.rabbitmq.start()
        // The test and both replicas are connected again, as what comes next expects.
        const again = harness().message
        await until(async () => (await again(403).catch(() => null)) !== null)
        for (const replica of [0, 1]) await until(async () => (await tryToRegister(replica)).status === 200)
        await Promise.all([redis.close(), keys.close()])
      },
      TIMEOUT_MS,
    )
  })

  describe('a held poll that looks at its queue again', () => {
    test.each(['here', 'elsewhere'])('gives way to a newer one, which is held %s', async (newerHolder) => {
      const partition = await openScriptedPartition(harness().servers, ['queue'])
      const older = await partition.poll('queue', 'here')
      const again = await partition.poll('queue', 'here', numberOf(older))
      const newer = await partition.poll('queue', newerHolder)

      expect(await partition.poll('queue', 'here', numberOf(again))).toEqual({ status: 'replaced' })
      expect(await partition.poll('queue', newerHolder, numberOf(newer))).toMatchObject({ status: 'ok' })
      await partition.close()
    })
  })

  describe('what Redis keeps of entries', () => {
    const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

    test('is what queues refer to, and what is recent, however far behind one of them is', async () => {
      const partition = await openScriptedPartition(harness().servers, ['left', 'behind', 'lively'])
      await partition.fill(40_000, {
        left: (offset) => offset === 2_000 || offset === 2_001,
        behind: (offset) => offset > 6_000 && offset % 1_000 === 0,
        lively: (offset) => offset === 40_000,
      })

      await partition.sweep()
      // No more at a time than Redis does in a moment.
      expect((await partition.kept()).length).toBeGreaterThanOrEqual(35_000)
      for (let sweeps = 0; sweeps < 20; sweeps++) await partition.sweep()

      const referred = [2_000, 2_001, ...between(7, 19).map((thousand) => thousand * 1_000)]
      expect(await partition.kept()).toEqual([...referred, ...between(20_000, 40_000)])

      for (const queueId of ['left', 'behind']) await partition.end(queueId)
      for (let sweeps = 0; sweeps < 20; sweeps++) await partition.sweep()
      expect(await partition.kept()).toEqual([40_000])
      await partition.close()
    })
  })
}
