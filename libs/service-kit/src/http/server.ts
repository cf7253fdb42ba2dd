import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, limits } from '@tms/contracts'
import express, { type Express } from 'express'
import type { Registry } from 'prom-client'
import { createReadiness, type Probe } from '../lifecycle/health.ts'
import type { Logger } from '../telemetry/log.ts'
import { Gauge } from '../telemetry/metrics.ts'
import type { ServerTls } from '../tls/settings.ts'
import { ConnectionAges } from './connection-age.ts'
import { LEAVING_HEADER } from './leaving.ts'
import { refuseMalformedRequests } from './malformed-request.ts'
import { UnansweredRequests } from './processing.ts'
import { watchQueuedAnswer } from './queued-answers.ts'
import { replyError, replyJson } from './reply.ts'
import { UnusedConnections } from './unused-connections.ts'
import type { UpgradeHandler } from './upgrade-handler.ts'

export type { Express }

/** Handles a request if it is responsible for it, and returns whether it did. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean

export interface HttpServer {
  readonly port: number
  /**
   * Reports not ready, but continues to serve, one more answer per connection, for `drainMs`, so that load balancers
   * can choose another replica.
   */
  leave(): Promise<void>
  /** Stops accepting, ends idle and unused connections, waits for requests in progress. */
  close(): Promise<void>
}

export interface HttpOptions {
  readonly host: string
  readonly port: number
  readonly log: Logger
  readonly metrics: Registry
  /** Absent or null: plain HTTP. */
  readonly tls?: ServerTls | null
  readonly probes: readonly Probe[]
  /**
   * How long `leave` takes: longer than peers keep an idle connection (`IDLE_CONNECTION_MS`), so that none is ended
   * in use.
   */
  readonly drainMs: number
  /**
   * The hot path, tried before Express: Express alone costs several times a bare request. Everything else (health,
   * metrics, pages, unknown paths) goes through Express.
   */
  readonly api: RequestHandler
  /** Adds routes of the service's own to the Express part. */
  readonly extend?: (app: Express) => void
  /** Whether the client may see the metrics; absent: everybody may. */
  readonly showsMetrics?: (request: IncomingMessage) => boolean
  /** For servers that clients connect to; internal peers need no limits, and are made to reconnect from time to time. */
  readonly limits?: ServerLimits
  /** Receives the server before it listens. */
  readonly watch?: (server: Server) => void
  /** Absent: the header `Upgrade` is ignored. */
  readonly upgrade?: UpgradeHandler
  /** Called when the server begins to leave. */
  readonly onLeaving?: () => void
}

export interface ServerLimits {
  /** Until the headers of a request have come. */
  readonly headersTimeoutMs: number
  /** Until the next request comes over an idle connection. */
  readonly keepAliveMs: number
  /** A connection over which nothing moves for this long is ended. */
  readonly stalledMs: number
  /** Headers beyond this number are not read. */
  readonly maxHeaders: number
}

/** Longer than any peer keeps an idle connection, so that the server never drops one in use. */
const KEEP_ALIVE_MS = 75_000
/** How long a request may take to come in: an upload over a slow line. The gateway ends one that stalls long before. */
const REQUEST_TIMEOUT_MS = 3_600_000
/** Connections that wait to be accepted: thousands of clients reconnect at once. The system may have a lower limit. */
const BACKLOG = 4_096
/** A client that isn't through the TLS handshake by then is dropped. */
const HANDSHAKE_TIMEOUT_MS = 10_000
/** How often Node checks for requests that take too long to come in. */
const CHECK_MS = 2_000
/** While draining: too small wastes turns of a busy event loop, too large delays the end. */
const IDLE_SWEEP_MS = 50

/** Starts listening. Rejects if the port is taken. */
export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { log, probes, metrics, api } = options
  let isLeaving = false
  /** Requests in progress: some came before the server knew that theirs would be the last answer on its connection. */
  const unanswered = new UnansweredRequests({ sendsProcessing: options.limits === undefined })
  const app = express()
  app.disable('x-powered-by')
  app.get('/health/live', (_request, response) => replyJson(response, 200, { status: 'live' }))
  const findReadiness = createReadiness(probes, log)
  new Gauge({
    name: 'dependency_missing',
    help: '1 while this replica cannot reach a server or service that it needs, or works worse without; as /health/ready reports.',
    labelNames: ['dependency'],
    registers: [metrics],
    async collect() {
      const { missing, degraded } = await findReadiness()
      for (const { name } of probes)
        this.set({ dependency: name }, name in missing || name in degraded ? 1 : 0)
    },
  })
  app.get('/health/ready', async (_request, response) => {
    const found = await findReadiness()
    const missing = isLeaving ? { http: 'is leaving' } : found.missing
    const isReady = Object.keys(missing).length === 0
    const status = isReady ? 'ready' : 'not ready'
    replyJson(response, isReady ? 200 : 503, { status, missing, degraded: found.degraded })
  })
  app.get('/metrics', async (request, response, next) => {
    if (options.showsMetrics?.(request) === false) return next()
    response.type(metrics.contentType).send(await metrics.metrics())
  })
  options.extend?.(app)
  app.use((request, response) =>
    replyError(response, new AppError('NOT_FOUND', { message: `No endpoint at ${request.path}` })),
  )
  app.use(
    (err: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      log.error({ err }, 'request failed')
      if (response.headersSent) response.destroy()
      else replyError(response, new AppError('INTERNAL'))
    },
  )

  // Node would refuse a missing Host header with an empty body; the gateway refuses it with JSON.
  const settings = {
    keepAliveTimeout: options.limits?.keepAliveMs ?? KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(options.limits && {
      headersTimeout: options.limits.headersTimeoutMs,
      connectionsCheckingInterval: CHECK_MS,
    }),
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    shouldUpgradeCallback: (request: IncomingMessage) => options.upgrade?.isFor(request) === true,
  }
  // One shared listener, since each pending poll would pay for its own.
  const forget = function (this: ServerResponse) {
    unanswered.delete(this)
  }
  const ages = new ConnectionAges()
  const unused = new UnusedConnections()
  /** The answer is the last one on its connection; a peer, which can choose another replica, learns why. */
  const sayLeaving = (response: ServerResponse) => {
    response.shouldKeepAlive = false
    if (!options.limits && !response.headersSent) response.setHeader(LEAVING_HEADER, 'true')
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (isLeaving) sayLeaving(response)
    else if (!options.limits && ages.isOld(request.socket)) response.shouldKeepAlive = false
    if (response.socket === null) watchQueuedAnswer(request.socket, response)
    unused.delete(request.socket)
    unanswered.add(response)
    response.on('close', forget)
    if (!api(request, response)) app(request, response)
  }
  const server: Server = options.tls
    ? createTlsServer({ ...settings, ...options.tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, serve)
    : createServer(settings, serve)
  if (options.limits) {
    server.timeout = options.limits.stalledMs
    server.maxHeadersCount = options.limits.maxHeaders
  }
  server.on(options.tls ? 'secureConnection' : 'connection', (socket) => unused.add(socket))
  refuseMalformedRequests(server)
  // Node would refuse an expectation that it doesn't know with an empty body, unseen by all of this.
  server.on('checkExpectation', serve)
  options.watch?.(server)
  if (options.upgrade) server.on('upgrade', options.upgrade.accept)
  await listen(server, options.port, options.host)
  const { port } = server.address() as AddressInfo
  log.info({ port }, 'listening')

  const beginLeaving = () => {
    if (!isLeaving) options.onLeaving?.()
    isLeaving = true
    for (const response of unanswered.all()) sayLeaving(response)
  }
  return {
    port,
    leave: async () => {
      beginLeaving()
      await sleep(options.drainMs)
    },
    close: () =>
      new Promise((resolve) => {
        beginLeaving()
        // A connection whose request was in progress becomes idle later, and would stay for KEEP_ALIVE_MS.
        const sweep = setInterval(() => {
          server.closeIdleConnections()
          unused.end()
        }, IDLE_SWEEP_MS)
        server.close(() => {
          clearInterval(sweep)
          unanswered.stop()
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}
