import { describe, expect } from 'vitest'
import { authorization, reply, test, type Upstream, until } from '../../test/start-gateway.ts'

const poll = (url: string) => fetch(`${url}/api/v1/events?queue_id=q1`, { headers: { authorization } })

/** Answers health checks, and resolves when one was answered. */
const untilChecked = (replica: Upstream) =>
  new Promise<void>((resolve) => {
    replica.live = (_incoming, response) => {
      response.on('finish', resolve)
      reply(response, 200, {})
    }
  })

describe.concurrent('replicas', () => {
  test('that hang are skipped, and others take over their polls, until they answer again', async ({
    startGateway,
  }) => {
    const { url, events, events2 } = await startGateway({}, { SILENT_REPLICA_SECONDS: '1' })
    events.answer = events2.answer = () => {}
    // A first health check that is answered late would make the hung one responsive once more.
    await Promise.all([events, events2].map(untilChecked))
    // By this answer, the gateway has read those to its checks.
    await fetch(`${url}/health/live`)
    const polled = poll(url)
    await until(() => events.requestLines.length + events2.requestLines.length === 1)
    const [hung, other] = events.requestLines.length === 1 ? [events, events2] : [events2, events]
    let answerThatItLives = () => {}
    hung.live = (_incoming, response) => {
      answerThatItLives = () => reply(response, 200, {})
    }
    other.answer = (_incoming, response) => reply(response, 200, { queue_id: 'q1', events: [{ id: 1 }] })

    expect(await (await polled).json()).toMatchObject({ result: 'success', events: [{ id: 1 }] })
    await Promise.all(Array.from({ length: 4 }, () => poll(url)))
    expect(hung.requestLines).toHaveLength(1)
    hung.answer = other.answer
    answerThatItLives()
    while (hung.requestLines.length === 1) await poll(url)
  })
})
