import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DomainEvent, domainEvents, type LogEntry, type PayloadOf, Role } from '@tms/contracts'
import { createReplica, loadKeys, pickFreePort, type Replica, type Servers } from '@tms/local-system'
import {
  type Broker,
  connectBroker,
  createLog,
  createPublisher,
  createUserTokenSigner,
  declareTopology,
  type Publisher,
  topologyOf,
} from '@tms/service-kit'
import { createTestFolder, provideTestServers } from '@tms/test-kit'

const repoRoot = fileURLToPath(new URL('../../..', import.meta.url))
/** Shorter than a heartbeat: expected events arrive at once. */
const REQUEST_TIMEOUT_MS = 15_000

/** The response of a scripted owner to a request for its state. */
export interface ScriptedState {
  snapshot: string
  channelIds: number[]
  /** Runs before the response, so that a test can act in the middle of a registration. */
  before?: () => Promise<void>
}

/** The events service alone, with a real log, a real Redis and scripted owners of the state. */
export interface EventsHarness {
  readonly servers: Servers
  readonly replicas: readonly Replica[]
  readonly state: ScriptedState
  /** Writes an event of a producer with its next sequence number, or the given one. */
  publish<E extends DomainEvent>(
    event: E,
    payload: PayloadOf<E>,
    at?: { seq?: number; xid?: number },
  ): Promise<number>
  /** A message in channel 1 with this ID, which is also its text unless a content is given. */
  message(id: number, options?: { seq?: number; xid?: number; content?: string }): Promise<number>
  /** Replaces the log by an empty one, like a broker that lost its data. */
  loseLog(): Promise<void>
  /** Sends a request as a user, by default the reader; rejects when `signal` aborts it. */
  request(
    replica: number,
    method: string,
    path: string,
    userId?: number,
    signal?: AbortSignal,
  ): Promise<HarnessAnswer>
  /** The readiness of a replica. */
  readiness(replica: number): Promise<{ status: number; body: Record<string, unknown> }>
  stop(): Promise<void>
}

export interface HarnessAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: Record<string, unknown> & {
    events?: { id: number; type: string; message?: { id: number }; messages?: number[] }[]
  }
}

export const READER = 7
/** More than the queues that tests open for the reader. */
export const MAX_QUEUES_PER_USER = 40
/** Of the harness's events service. */
export const PARTITIONS = 16
const STREAM = randomUUID()
/** How long a replica is blocked by SIGUSR2: longer than a lease. */
export const BUSY_MS = 3_000
/** Loaded into each replica. */
const BUSY_ON_SIGNAL = `data:text/javascript,${encodeURIComponent(
  `process.on('SIGUSR2',()=>{const end=Date.now()+${BUSY_MS};while(Date.now()<end);})`,
)}`

/** Starts servers and events replicas. */
export async function startEventsHarness(replicaCount: number): Promise<EventsHarness> {
  const dataDir = createTestFolder(process.env)
  const { servers } = await provideTestServers({ dataDir, env: process.env, wantsOwn: ['redis', 'rabbitmq'] })
  const keys = loadKeys(join(dataDir, 'keys'))
  const state: ScriptedState = { snapshot: '1:1:', channelIds: [1] }
  const peers = await startPeers(state)
  const peersUrl = `http://127.0.0.1:${(peers.address() as AddressInfo).port}`
  const topology = topologyOf('')
  const log = createLog('test', 'silent')
  const broker: Broker = connectBroker(servers.rabbitmq.url, log, (channel) =>
    declareTopology(channel, topology),
  )
  await new Promise<void>((resolve) => broker.onConnected(resolve))
  const publisher: Publisher = createPublisher(broker, topology.exchange)
  const environment = {
    ...process.env,
    HOST: '127.0.0.1',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'warn',
    RABBITMQ_URL: servers.rabbitmq.url,
    REDIS_URL: servers.redis.url,
    JWT_PUBLIC_KEY: keys.jwt.publicKey,
    INTERNAL_PUBLIC_KEY: keys.internal.publicKey,
    INTERNAL_PRIVATE_KEY: keys.internal.privateKey,
    USERS_URL: peersUrl,
    REALM_URL: peersUrl,
    MESSAGING_URL: peersUrl,
    EVENTS_PARTITIONS: String(PARTITIONS),
    EVENTS_MAX_QUEUES_PER_USER: String(MAX_QUEUES_PER_USER),
    NODE_OPTIONS: `--import=${BUSY_ON_SIGNAL}`,
  }
  const replicas: Replica[] = []
  for (let index = 0; index < replicaCount; index++) {
    const port = await pickFreePort()
    const name = `events-${index + 1}`
    replicas.push(
      createReplica({
        service: 'events',
        index,
        port,
        repoRoot,
        env: { ...environment, PORT: String(port) },
        pidFile: join(dataDir, 'services', `${name}.pid`),
        logPath: join(dataDir, 'logs', `${name}.log`),
      }),
    )
  }
  await Promise.all(replicas.map((replica) => replica.start()))
  const sign = createUserTokenSigner(keys.jwt.privateKey)
  let nextSeq = 1

  const publish: EventsHarness['publish'] = async (
    event,
    payload,
    { seq = nextSeq, xid = seq + 1_000 } = {},
  ) => {
    const entry: LogEntry = {
      stream: STREAM,
      source: event.producer,
      seq,
      xid,
      at: Date.now(),
      event: event.name,
      realm_id: 1,
      request_id: null,
      payload,
    }
    await publisher.publish([{ routingKey: event.name, body: JSON.stringify(entry) }])
    // Only after the confirm: like a relay, a test repeats an unconfirmed publish with the same sequence number.
    nextSeq = Math.max(nextSeq, seq + 1)
    return seq
  }
  return {
    servers,
    replicas,
    state,
    publish,
    message: (id, { content, ...at } = {}) =>
      publish(domainEvents.messaging.messageSent, messagePayload(id, content), at),
    loseLog: async () => {
      const channel = await broker.channel()
      await channel.deleteQueue(topology.log)
      await declareTopology(channel, topology)
      await channel.close()
    },
    request: async (index, method, path, userId = READER, signal) => {
      const token = sign({ userId, realmId: 1, role: Role.member, isBot: false })
      const response = await fetch(`${replicas[index]?.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(signal ? [signal] : [])]),
      })
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: (await response.json()) as HarnessAnswer['body'],
      }
    },
    readiness: async (index) => {
      const response = await fetch(`${replicas[index]?.url}/health/ready`)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.kill('SIGKILL')))
      await broker.close()
      peers.close()
      peers.closeAllConnections()
      await servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function startPeers(state: ScriptedState): Promise<HttpServer> {
  const server = createServer(async (request, response) => {
    request.resume()
    if (request.url?.endsWith('/messaging')) await state.before?.()
    response.setHeader('content-type', 'application/json')
    const { snapshot, channelIds: channel_ids } = state
    // The state follows what the service reads itself.
    response.end(`${JSON.stringify({ snapshot, role: Role.member, channel_ids })}\n{}`)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function messagePayload(
  id: number,
  content = String(id),
): PayloadOf<typeof domainEvents.messaging.messageSent> {
  return {
    message: {
      id,
      sender_id: 8,
      recipient_id: 1,
      timestamp: 1,
      type: 'stream',
      stream_id: 1,
      display_recipient: 'general',
      subject: 'topic',
      content: `<p>${content}</p>`,
      content_type: 'text/html',
      is_me_message: false,
      sender_email: 'sender@example.com',
      sender_full_name: 'Sender',
      sender_realm_str: '',
      client: 'test',
      avatar_url: null,
      reactions: [],
      submessages: [],
      topic_links: [],
    },
    raw_content: content,
    sender_is_gravatar: false,
    recipient_user_ids: null,
    is_public_channel: true,
    flags_by_user: {},
    flags_of_all: [],
    sender_queue_id: null,
    local_id: null,
  }
}
