import { describe, expect, test } from 'vitest'
import { type EventsHarness, type HarnessAnswer, READER } from './events-harness.ts'
import { metricOf } from './observe.ts'
import { endSubscriptions } from './test-redis.ts'
import { until } from './until.ts'

const OTHER_USER = READER + 1

/** Tests of several polls of one queue, for a system with two replicas. */
export function testTakeovers(harness: () => EventsHarness): void {
  const register = async (): Promise<string> => {
    const { status, body } = await harness().request(0, 'POST', '/register?event_types=["message"]')
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body['queue_id'] as string
  }
  const poll = (queueId: string, last: number, { replica = 0, extra = '' } = {}) =>
    harness().request(replica, 'GET', `/events?queue_id=${queueId}&last_event_id=${last}${extra}`)
  const messageIds = ({ body }: HarnessAnswer) => (body.events ?? []).map(({ message }) => message?.id)
  const waitUntilPending = (replica: number): Promise<void> =>
    until(async () => (await metricOf(harness().replicas[replica]?.url ?? '', 'event_pending_polls')) > 0)

  describe('a queue that is polled again during a pending poll', () => {
    test('answers the older poll at once, and the newer one when an event comes', async () => {
      const queueId = await register()
      const older = poll(queueId, -1, { replica: 0 })
      // The older one is registered once the newer one can find it.
      await waitUntilPending(0)
      const newer = poll(queueId, -1, { replica: 1 })

      expect((await older).body.events).toEqual([])
      await harness().message(30)
      expect(messageIds(await newer)).toEqual([30])
    })

    test.each([0, 1])('ends the pending poll by one that does not wait, at replica %i', async (replica) => {
      const queueId = await register()
      const pendingPoll = poll(queueId, -1)
      await waitUntilPending(0)
      await poll(queueId, -1, { replica, extra: '&dont_block=true' })

      expect((await pendingPoll).body).toMatchObject({ result: 'success', events: [] })
    })

    test.each([0, 1])(
      'keeps the pending poll when the other one is rejected, at replica %i',
      async (replica) => {
        const queueId = await register()
        await harness().message(32)
        const [first = { id: 0 }] = (await poll(queueId, -1)).body.events ?? []
        const pendingPoll = poll(queueId, first.id)
        await waitUntilPending(0)
        const refused = await Promise.all([
          harness().request(
            replica,
            'GET',
            `/events?queue_id=${queueId}&last_event_id=${first.id}`,
            OTHER_USER,
          ),
          poll(queueId, -1, { replica }),
          poll(queueId, first.id - 1, { replica }),
          poll(queueId, first.id + 2, { replica, extra: '&dont_block=true' }),
        ])
        expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
        await harness().message(33)

        expect(messageIds(await pendingPoll)).toEqual([33])
      },
    )

    test('keeps one of several concurrent polls, which receives the events', async () => {
      const queueId = await register()
      let last = -1
      for (let round = 0; round < 25; round++) {
        let answered = 0
        const polls = [0, 1, 0, 1].map((replica) =>
          poll(queueId, last, { replica }).then((answer) => {
            answered++
            return answer
          }),
        )
        await until(async () => answered >= 3)
        await harness().message(1_000 + round)
        const answers = await Promise.all(polls)

        expect(answers.flatMap(messageIds)).toEqual([1_000 + round])
        last = answers.flatMap(({ body }) => body.events ?? [])[0]?.id ?? last
      }
    })

    test('keeps the newer poll even if the older one’s replica did not learn of it', async () => {
      const queueId = await register()
      const older = poll(queueId, -1, { replica: 0 })
      await waitUntilPending(0)
      await harness().replicas[0]?.kill('SIGSTOP')
      // The paused replica never receives later publishes: its connection is lost.
      await endSubscriptions(harness().servers)
      const newer = poll(queueId, -1, { replica: 1 })
      await waitUntilPending(1)
      await harness().replicas[0]?.kill('SIGCONT')

      expect((await older).body).toMatchObject({ result: 'success', events: [] })
      await harness().message(31)
      expect(messageIds(await newer)).toEqual([31])
    })
  })
}
