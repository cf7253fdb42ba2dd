import type { IncomingMessage, ServerResponse } from 'node:http'
import { LEAVING_HEADER } from '@tms/service-kit'
import { describe, expect } from 'vitest'
import { type Answer, authorization, reply, test } from '../../test/start-gateway.ts'

describe.concurrent('replicas', () => {
  test('that say in an answer that they leave get no more requests while there is another', async ({
    startGateway,
  }) => {
    const { url, messaging, messaging2 } = await startGateway()
    messaging.answer = sayLeaving
    // No health check says so first, or that it stays.
    messaging.live = () => {}

    const answers: Response[] = []
    for (let i = 0; i < 5; i++) answers.push(await sendMessage(url))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers.map(({ headers }) => headers.get(LEAVING_HEADER))).toEqual([null, null, null, null, null])
    expect(messaging.requestLines).toHaveLength(1)

    await messaging2.kill()
    expect((await sendMessage(url)).status).toBe(200)
    expect(messaging.requestLines).toHaveLength(2)
  })

  test('that say in a health check that they leave get requests again once one says that they stay', async ({
    startGateway,
  }) => {
    const { url, messaging } = await startGateway()
    const checks: Answer[] = [sayLeaving, (_incoming, response) => reply(response, 200, {})]
    for (const [index, isChosen] of [false, true].entries()) {
      await new Promise<void>((resolve) => {
        messaging.live = (incoming, response) => {
          response.on('finish', resolve)
          checks[index]?.(incoming, response)
        }
      })
      // By this answer, the gateway has read the one to its check.
      await fetch(`${url}/health/live`)
      messaging.requestLines.length = 0
      for (let i = 0; i < 4; i++) await sendMessage(url)
      expect(messaging.requestLines.length > 0).toBe(isChosen)
    }
  })
})

function sayLeaving(_incoming: IncomingMessage, response: ServerResponse): void {
  response.setHeader(LEAVING_HEADER, 'true')
  reply(response, 200, {})
}

const sendMessage = (url: string): Promise<Response> =>
  fetch(`${url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'content=x',
  })
