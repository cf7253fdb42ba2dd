import { describe, expect } from 'vitest'
import { authorization, reply, test, until } from '../../test/start-gateway.ts'

const poll = (url: string) => fetch(`${url}/api/v1/events?queue_id=q1`, { headers: { authorization } })

describe.concurrent('replicas', () => {
  test('that hang are skipped, and others take over their polls, until they answer again', async ({
    startGateway,
  }) => {
    const { url, events, events2 } = await startGateway({}, { SILENT_REPLICA_SECONDS: '1' })
    events.answer = events2.answer = () => {}
    const polled = poll(url)
    await until(() => events.requestLines.length + events2.requestLines.length === 1)
    const [hung, other] = events.requestLines.length === 1 ? [events, events2] : [events2, events]
    let answerThatItLives = () => {}
    hung.live = (_incoming, response) => {
      answerThatItLives = () => reply(response, 200, {})
    }
    other.answer = (_incoming, response) => reply(response, 200, { queue_id: 'q1', events: [{ id: 1 }] })

    expect(await (await polled).json()).toMatchObject({ result: 'success', events: [{ id: 1 }] })
    const pollTwiceEach = () => Promise.all(Array.from({ length: 4 }, () => poll(url)))
    let before: number
    // On a busy machine its first health check may be answered late, which makes it responsive once more.
    do {
      before = hung.requestLines.length
      await pollTwiceEach()
    } while (hung.requestLines.length > before)
    hung.answer = other.answer
    answerThatItLives()
    while (hung.requestLines.length === before) await pollTwiceEach()
  })
})
