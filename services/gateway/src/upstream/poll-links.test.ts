import { createUserTokenVerifier } from '@tms/service-kit'
import { describe, expect } from 'vitest'
import {
  authorization,
  type FakeLink,
  identify,
  reply,
  type TestGateway,
  TOKEN,
  test,
  token,
  type Upstream,
  until,
  userKeys,
} from '../../test/start-gateway.ts'

const EVENT = '{"id":4,"type":"presence"}'

/** Has replicas accept links, and lists those that were opened. */
function acceptLinks(...replicas: Upstream[]): FakeLink[] {
  const links: FakeLink[] = []
  for (const replica of replicas) replica.onLink = (link) => void links.push(link)
  return links
}

const poll = ({ url }: Pick<TestGateway, 'url'>, queueId = 'q-1', signal?: AbortSignal) =>
  fetch(`${url}/api/v1/events?queue_id=${queueId}&last_event_id=3`, {
    headers: { authorization },
    ...(signal && { signal }),
  })

async function untilPolled(links: readonly FakeLink[], count = 1): Promise<FakeLink> {
  const polled = () => links.find(({ polls }) => polls.length >= count)
  await until(() => polled() !== undefined)
  return polled() as FakeLink
}

describe.concurrent('polls over links', () => {
  test('are handed over with their caller, and answered from one frame, with the headers of every answer', async ({
    startGateway,
  }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = ['q-1', 'q-2'].map((queueId) => poll(gateway, queueId))
    await until(() => links.flatMap(({ polls }) => polls).length === 2)
    const [link] = links

    link?.send({ answers: link.polls.map(([number]) => [number, 0, 1]) }, [EVENT, '{"id":5,"type":"typing"}'])

    const answers = await Promise.all(pending)
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
      ['q-1', 'q-2'].map((queue_id) => ({
        ...{ result: 'success', msg: '', queue_id },
        events: [
          { id: 4, type: 'presence' },
          { id: 5, type: 'typing' },
        ],
      })),
    )
    expect(answers[0]?.headers.get('content-type')).toBe('application/json')
    expect(answers[0]?.headers.get('cache-control')).toBe('private, no-store')
    expect(answers[0]?.headers.get('access-control-allow-origin')).toBe('*')
    expect(links).toHaveLength(1)
    const [, token, requestId, , lastEventId] = link?.polls[0] ?? []
    expect(createUserTokenVerifier(userKeys.publicKey)(token ?? '')).toMatchObject({ userId: 11, realmId: 2 })
    expect([answers[0]?.headers.get('x-request-id'), 3]).toEqual([requestId, lastEventId])
    expect(gateway.events.requestLines).toEqual([])
  })

  test('are cancelled when their client leaves', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const leaving = new AbortController()
    const left = poll(gateway, 'q-1', leaving.signal).catch(() => 'left')
    const link = await untilPolled(links)

    leaving.abort()

    expect(await left).toBe('left')
    await until(() => link.cancelled.length === 1)
    expect(link.cancelled).toEqual(link.polls.map(([number]) => number))
  })

  test('go to another replica when their link is cut, also in the middle of a frame', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const links = acceptLinks(gateway.events, gateway.events2)
    const pending = poll(gateway)
    const first = await untilPolled(links)
    const frame = Buffer.from([0, 0, 0, 100, 0, 0])

    first.socket.end(frame)

    await until(() => links.length === 2)
    const second = await untilPolled(links.slice(1))
    second.send({ answers: [[second.polls[0]?.[0] ?? 0, 0]] }, [EVENT])
    expect(await (await pending).json()).toMatchObject({ events: [{ id: 4 }] })
  })

  test('stay with a replica that is leaving, and later ones go to another link', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const early = poll(gateway, 'early')
    const first = await untilPolled(links)
    first.send({ isLeaving: true })
    // Known once an answer of the same link has come.
    first.send({ answers: first.polls.map(([number]) => [number]) })
    expect(await (await early).json()).toMatchObject({ queue_id: 'early', events: [] })

    const late = poll(gateway, 'late')

    await until(() => links.length === 2)
    const second = await untilPolled(links.slice(1))
    second.send({ answers: [[second.polls[0]?.[0] ?? 0, 0]] }, [EVENT])
    expect(await (await late).json()).toMatchObject({ queue_id: 'late', events: [{ id: 4 }] })
    expect(first.polls).toHaveLength(1)
  })

  test('are sent as requests if the replica returns them', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    gateway.events.answer = (_incoming, response) =>
      reply(response, 400, { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID: q-1' })
    const links = acceptLinks(gateway.events)
    const pending = poll(gateway)
    const link = await untilPolled(links)

    link.send({ returned: link.polls.map(([number]) => number) })

    expect(await (await pending).json()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect(gateway.events.requestLines).toEqual(['GET /api/v1/events?queue_id=q-1&last_event_id=3'])
  })

  test('are answered without events when the gateway stops', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = poll(gateway)
    const link = await untilPolled(links)

    await gateway.close()

    expect(await (await pending).json()).toEqual({ result: 'success', msg: '', queue_id: 'q-1', events: [] })
    await until(() => link.socket.readableEnded)
  })

  test('are answered with the error of their replica', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = poll(gateway)
    const link = await untilPolled(links)

    const number = link.polls[0]?.[0] ?? 0
    link.send({ errors: [[number, 'BAD_EVENT_QUEUE_ID', 'Bad event queue ID: q-1', { queue_id: 'q-1' }]] })

    const answer = await pending
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      ...{ result: 'error', msg: 'Bad event queue ID: q-1', code: 'BAD_EVENT_QUEUE_ID', queue_id: 'q-1' },
    })
  })

  test('go to another replica if theirs is unavailable, and get the error of the last one', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const links = acceptLinks(gateway.events, gateway.events2)
    const pending = poll(gateway)
    const fail = (link: FakeLink) =>
      link.send({ errors: [[link.polls[0]?.[0] ?? 0, 'SERVICE_UNAVAILABLE', 'no Redis', {}]] })
    fail(await untilPolled(links))
    await until(() => links.length === 2)
    fail(await untilPolled(links.slice(1)))

    const answer = await pending

    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ msg: 'no Redis' })])
  })

  test('are refused when their key was replaced, also if they became requests meanwhile', async ({
    startGateway,
  }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    gateway.events.answer = () => {}
    const links = acceptLinks(gateway.events)
    const pending = fetch(`${gateway.url}/api/v1/events?queue_id=q-1`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    let identified = 0
    let answerIdentification = () => {}
    gateway.users.answer = (incoming, response) => {
      if (incoming.url !== '/internal/identify-token') return identify(incoming, response)
      identified++
      if (identified === 1) return reply(response, 200, { ...token, expires_in_ms: 300 })
      const error = { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'The API token has expired' }
      answerIdentification = () => reply(response, 401, error)
    }
    const link = await untilPolled(links)
    await until(() => identified === 2)

    link.send({ returned: link.polls.map(([number]) => number) })
    await until(() => gateway.events.requestLines.length === 1)
    answerIdentification()

    expect((await pending).status).toBe(401)
  })

  test('are sent as requests to replicas without links, and over links to the others, in turn', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const { events, events2 } = gateway
    events.onLink = (link) => {
      const answering = setInterval(() => {
        for (const [number] of link.polls.splice(0)) {
          answered++
          link.send({ answers: [[number]] })
        }
      }, 5)
      link.socket.on('close', () => clearInterval(answering))
    }
    let answered = 0

    // The first attempt to open a link to the other one fails.
    for (let i = 0; i < 8; i++) expect((await poll(gateway)).status).toBe(200)

    expect(answered).toBeGreaterThanOrEqual(4)
    expect(events2.requestLines.length).toBeGreaterThanOrEqual(3)
  })

  test('are sent as requests to replicas without links, in turn', async ({ startGateway }) => {
    const gateway = await startGateway()
    const { events, events2 } = gateway

    for (let i = 0; i < 4; i++) expect((await poll(gateway)).status).toBe(200)

    expect([events.requestLines.length, events2.requestLines.length]).toEqual([2, 2])
  })
})
