import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type PollLinkAnswers,
  type PollLinkRequests,
  type PollRequest,
  pollLink,
  requestLink,
} from '@tms/contracts'
import { acceptFrames, createLog, FrameConnection, parseEnvironment } from '@tms/service-kit'
import { test as base } from 'vitest'
import { configSchema } from '../src/config.ts'
import { createService } from '../src/service.ts'
import { type FakeRequestLink, fakeRequestLink } from './fake-request-link.ts'

const pair = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
export const userKeys = pair()
const internalKeys = pair()
export const KEY = 'k'.repeat(32)
export const authorization = basic('Iago@example.com', KEY)

export type Answer = (request: IncomingMessage, response: ServerResponse) => void
export interface Upstream {
  readonly url: string
  readonly requestLines: string[]
  answer: Answer
  /** Answers health checks; called for each one. */
  live: Answer
  /** Serves poll links; null: it has none, so polls come as requests. */
  onLink: ((link: FakeLink) => void) | null
  /** Serves request links; null: it has none, so all requests come by HTTP. */
  onRequestLink: ((link: FakeRequestLink) => void) | null
  /** Ends it as a crash would. */
  kill(): Promise<void>
}

/** The end of a poll link at a fake replica of events. */
export interface FakeLink {
  readonly socket: Duplex
  /** What the gateway has sent so far. */
  readonly polls: PollRequest[]
  readonly streams: PollRequest[]
  readonly cancelled: number[]
  /** Bytes of events that the clients of all streams have taken. */
  readonly taken: () => number
  send(answers: Partial<PollLinkAnswers>, events?: readonly string[]): void
}

/** How to close what a test started, in the order in which it was started. */
type Closing = (() => Promise<unknown>)[]

type Service = 'users' | 'realm' | 'messaging' | 'messaging2' | 'events' | 'events2'
export interface TestGateway extends Record<Service, Upstream> {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * A test with gateways of its own, which are closed at its end. Tests can run side by side: each waits for a second, the
 * time that a gateway gives a missing Redis at its start.
 */
export const test = base.extend('startGateway', ({ onTestFinished }) => {
  const closing: Closing = []
  onTestFinished(async () => {
    for (const close of closing.reverse()) await close()
  })
  return (only: { EVENTS_URL?: 1 } = {}, variables: Record<string, string> = {}) =>
    startGateway(closing, only, variables)
})

/** A gateway in front of fake services: two replicas of messaging and, by default, two of events. */
async function startGateway(
  closing: Closing,
  only: { EVENTS_URL?: 1 },
  variables: Record<string, string>,
): Promise<TestGateway> {
  const [users, realm, messaging, messaging2, events, events2] = await Promise.all([
    startUpstream(closing, identify),
    startUpstream(closing, admitSpectators(null)),
    startUpstream(closing),
    startUpstream(closing),
    startUpstream(closing),
    startUpstream(closing),
  ])
  const config = parseEnvironment(configSchema, {
    HOST: '127.0.0.1',
    PORT: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
    USERS_URL: users.url,
    REALM_URL: realm.url,
    MESSAGING_URL: `${messaging.url},${messaging2.url}`,
    EVENTS_URL: only.EVENTS_URL ? events.url : `${events.url},${events2.url}`,
    INTERNAL_PRIVATE_KEY: internalKeys.privateKey,
    JWT_PRIVATE_KEY: userKeys.privateKey,
    // Nothing listens there: rate limits let calls pass.
    REDIS_URL: 'redis://127.0.0.1:9',
    ...variables,
  })
  const service = await createService(config, createLog('gateway', 'silent'))
  closing.push(service.close)
  const url = `http://127.0.0.1:${service.port}`
  return { url, users, realm, messaging, messaging2, events, events2, close: service.close }
}

async function startUpstream(
  closing: Closing,
  answer: Answer = (_incoming, response) => reply(response, 200, {}),
) {
  const requestLines: string[] = []
  const upstream: Pick<Upstream, 'answer' | 'live' | 'onLink' | 'onRequestLink'> = {
    onLink: null,
    onRequestLink: null,
    answer,
    live: (_incoming, response) => reply(response, 200, {}),
  }
  const server = createServer((incoming, response) => {
    if (incoming.url === '/health/live') return upstream.live(incoming, response)
    requestLines.push(`${incoming.method} ${incoming.url}`)
    upstream.answer(incoming, response)
  })
  const terms = {
    from: 'gateway' as const,
    ...{
      internalPublicKey: internalKeys.publicKey,
      isAccepting: () => true,
      log: createLog('upstream', 'silent'),
    },
  }
  const acceptors = [
    acceptFrames({
      ...{ ...terms, ...pollLink },
      onAccepted: (socket, head) => upstream.onLink?.(fakeLink(socket, head)),
    }),
    acceptFrames({
      ...{ ...terms, ...requestLink },
      onAccepted: (socket, head) => upstream.onRequestLink?.(fakeRequestLink(socket, head)),
    }),
  ]
  server.on('upgrade', (incoming, socket, head) => {
    const acceptor = acceptors.find((each) => each.isFor(incoming))
    const isServed = incoming.url === pollLink.path ? upstream.onLink : upstream.onRequestLink
    if (acceptor && isServed) acceptor.accept(incoming, socket, head)
    else socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const kill = () => stop(server)
  closing.push(kill)
  return Object.assign(upstream, { url: `http://127.0.0.1:${port}`, requestLines, kill }) satisfies Upstream
}

function fakeLink(socket: Duplex, head: Buffer): FakeLink {
  const polls: PollRequest[] = []
  const streams: PollRequest[] = []
  const cancelled: number[] = []
  let taken = 0
  const connection = new FrameConnection(socket, head, {
    silentMs: 60_000,
    onFrame: ([text = '']) => {
      const requests = JSON.parse(text) as PollLinkRequests
      polls.push(...requests.polls)
      streams.push(...requests.streams)
      cancelled.push(...requests.cancelled)
      for (const [, bytes] of requests.taken) taken += bytes
    },
    onEnd: () => {},
  })
  const nothing: PollLinkAnswers = {
    ...{ answers: [], streamed: [], ended: [], errors: [], returned: [] },
    isLeaving: false,
  }
  return {
    ...{ socket, polls, streams, cancelled },
    taken: () => taken,
    send: (answers, events = []) => connection.send([JSON.stringify({ ...nothing, ...answers }), ...events]),
  }
}

export const caller = { user_id: 11, realm_id: 2, role: 100, is_bot: false, is_incoming_webhook: false }

/** The answer of users and realm about changes if there are none. */
export const noChanges = {
  cursor: '1',
  changes: {
    ...{
      identity_user_ids: [] as number[],
      identity_realm_ids: [],
      users: [],
      groups: [],
      removed_group_ids: [],
    },
    realms: [],
  },
}

/** The answer of users about the caller, and about others. */
export const identify: Answer = async (incoming, response) => {
  if (incoming.url === '/internal/user-changes') return reply(response, 200, noChanges)
  if (incoming.url === '/internal/identify-token') return identifyToken(incoming, response)
  const { email, api_key } = JSON.parse(await textOf(incoming)) as { email: string; api_key: string }
  const isKnown = email === 'Iago@example.com' && api_key === KEY
  if (isKnown) reply(response, 200, caller)
  else reply(response, 401, { result: 'error', code: 'UNAUTHORIZED', msg: 'Invalid API key' })
}

/** The token that users knows, and what it is; it may read. */
export const TOKEN = `tms_${'t'.repeat(49)}`
export const token = {
  ...caller,
  token_id: 5,
  scopes: ['read'],
  channel_ids: null as number[] | null,
  expires_in_ms: null as number | null,
}

const identifyToken: Answer = async (incoming, response) => {
  const body = JSON.parse(await textOf(incoming)) as { token: string }
  if (body.token === TOKEN) reply(response, 200, token)
  else
    reply(response, 401, { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'The API token is invalid' })
}

/** The answer of realm about spectators: the organization that allows them, or none. */
export const admitSpectators =
  (realm_id: number | null): Answer =>
  (incoming, response) =>
    reply(response, 200, incoming.url === '/internal/spectator-realm' ? { realm_id } : noChanges)

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

export function reply(response: ServerResponse, status: number, fields: object): void {
  const body = JSON.stringify(
    status === 200 && !('user_id' in fields) ? { result: 'success', ...fields } : fields,
  )
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

export async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
}

/** Waits for a condition. The test's own timeout is the deadline. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2))
}
