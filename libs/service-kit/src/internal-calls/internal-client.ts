import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode, errorTable, type InternalEndpoint } from '@tms/contracts'
import type { z } from 'zod'
import { createConcurrencyLimit, type LimitConcurrency } from '../concurrency/concurrency-limit.ts'
import { SILENT_MS } from '../http/processing.ts'
import { readWithTail } from '../http/read-with-tail.ts'
import { ORIGIN_HEADER, writeOrigin } from '../origin/origin.ts'
import { currentTraceparent, inSpan, isTracing, SpanKind } from '../telemetry/tracer.ts'
import { type Agents, createAgents, isHttps, requestBy } from '../tls/requests.ts'
import type { ClientTls } from '../tls/settings.ts'
import { pauseBeforeAttempt } from './retry.rules.ts'

/** A slower peer counts as unavailable; too small fails calls on a busy machine. */
const CALL_TIMEOUT_MS = 5_000
/** Concurrent calls per replica; more wait here, where waiting is cheap, rather than at the peer's database. */
const MAX_CONNECTIONS = 64
/**
 * A replica that doesn't accept a connection by then is skipped: too small skips a busy one, too large delays
 * callers.
 */
export const CONNECT_TIMEOUT_MS = 2_000
/** Answers with a tail that are read concurrently, at the pace of clients: each uses a connection, and little else. */
const MAX_TAILS = 1_024
/** Calls for such answers that wait here while as many as there are connections wait for theirs to begin. */
const MAX_WAITING = 10_000

/** Calls another service's internal endpoint. */
export type InternalClient = <B extends z.ZodType, R extends z.ZodType>(
  endpoint: InternalEndpoint<B, R, 'none'>,
  body: z.input<B>,
  options?: CallOptions,
) => Promise<z.output<R>>

interface CallOptions {
  readonly requestId?: string
  /** Per attempt. */
  readonly timeoutMs?: number
}

interface Answer {
  readonly status: number
  readonly value: unknown
}

/**
 * A client over the replicas of each owner: they are used in turn, and one that can't be reached is skipped. One
 * address may stand for many replicas, one of which has just left: a call that no replica accepted is repeated after
 * pauses, one whose connection was lost is repeated once. Throws the peer's own error, or SERVICE_UNAVAILABLE if none
 * answers. Uses `node:http`, because `fetch` was a fifth of the CPU of a gateway to which many clients reconnected.
 */
export function createInternalClient(
  urlsByOwner: Readonly<Record<string, readonly string[]>>,
  token: () => string,
  tls: ClientTls = {},
): InternalClient {
  const agents = createAgents({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: 'lifo' }, tls)
  // Separate agents, so that slow clients that occupy all of these leave the other calls their connections.
  const tailAgents = createAgents({ keepAlive: true, maxSockets: MAX_TAILS, scheduling: 'lifo' }, tls)
  const limitsByOwner = new Map<string, LimitConcurrency>()
  for (const owner of Object.keys(urlsByOwner)) {
    const refusal = `The ${owner} service is busy; try again shortly`
    limitsByOwner.set(
      owner,
      createConcurrencyLimit({ maxAtOnce: MAX_CONNECTIONS, maxWaiting: MAX_WAITING, refusal }),
    )
  }
  let nextReplica = 0
  const call: InternalClient = async (endpoint, body, options = {}) => {
    const { requestId, timeoutMs = CALL_TIMEOUT_MS } = options
    const urls = urlsByOwner[endpoint.owner] ?? []
    const text = JSON.stringify(body)
    // Per call: other calls advance the counter meanwhile, and would lead it back to the replica that failed.
    const first = nextReplica++
    let lastError: unknown
    for (
      let attempt = 0;
      attempt < urls.length || mayRepeatAtAll(lastError, attempt - urls.length);
      attempt++
    ) {
      const pauseMs = pauseBeforeAttempt(attempt, urls.length)
      if (pauseMs === null) break
      if (pauseMs > 0) await sleep(pauseMs)
      const base = urls[(first + attempt) % urls.length] ?? ''
      try {
        const terms = { token: token(), requestId, timeoutMs, tail: endpoint.tail }
        const url = base + endpoint.path
        const limit = limitsByOwner.get(endpoint.owner)
        const { status, value } =
          endpoint.tail === undefined || limit === undefined
            ? await postAgainIfStale(agents, url, text, terms)
            : await limit(() => postAgainIfStale(tailAgents, url, text, terms))
        if (status === 200) return value as z.output<typeof endpoint.response>
        if (status !== 503) throw peerError(value)
        lastError = value
      } catch (err) {
        if (err instanceof AppError) throw err
        lastError = err
      }
    }
    throw unreachable(endpoint.owner, lastError)
  }
  return (endpoint, body, options) => {
    if (!isTracing()) return call(endpoint, body, options)
    const attributes = { 'http.request.method': 'POST', 'tms.upstream': endpoint.owner }
    const calling = { kind: SpanKind.CLIENT, attributes }
    return inSpan(`POST ${endpoint.path}`, calling, () => call(endpoint, body, options))
  }
}

interface Call {
  readonly token: string
  readonly requestId: string | undefined
  readonly timeoutMs: number
  readonly tail: string | undefined
}

/** An idle connection may have ended just now, when the peer restarted; that isn't a failure of the peer. */
async function postAgainIfStale(agents: Agents, url: string, body: string, call: Call): Promise<Answer> {
  try {
    return await post(agents, url, body, call)
  } catch (err) {
    if (!(err instanceof StaleConnectionError)) throw err
    return post(agents, url, body, call)
  }
}

class StaleConnectionError extends Error {}
class AnswerTimeoutError extends Error {}
/** No peer accepted the call, so none can have handled it. */
class NotAcceptedError extends Error {}
/** The connection ended during the call. */
class ConnectionLostError extends Error {}

/**
 * Whether a call that failed at every address is made again, after `again` repetitions. A busy peer isn't made faster
 * by repeating.
 */
function mayRepeatAtAll(err: unknown, again: number): boolean {
  return err instanceof NotAcceptedError || (err instanceof ConnectionLostError && again === 0)
}

/** Sends one call. The deadline starts when it gets a connection, so that waiting calls don't count against it. */
function post(agents: Agents, url: string, body: string, call: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let late: NodeJS.Immediate | undefined
    const endDeadline = () => {
      clearTimeout(timer)
      clearImmediate(late)
    }
    const traceparent = currentTraceparent()
    const origin = writeOrigin()
    const isTls = isHttps(url)
    const request = requestBy(isTls)(url, {
      agent: agents.of(isTls),
      timeout: 0,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${call.token}`,
        ...(call.requestId === undefined ? {} : { 'x-request-id': call.requestId }),
        ...(traceparent === null ? {} : { traceparent }),
        ...(origin === null ? {} : { [ORIGIN_HEADER]: origin }),
      },
    })
    let isAccepted = false
    let wasReused = false
    request.once('socket', (socket) => {
      const giveUp = () =>
        request.destroy(
          isAccepted
            ? new AnswerTimeoutError('the peer did not answer in time')
            : new NotAcceptedError('the peer did not accept in time'),
        )
      const startDeadline = (ms: number) => {
        endDeadline()
        timer = setTimeout(() => {
          // If this process itself was busy, the answer may have arrived already, and is read first.
          late = setImmediate(giveUp)
        }, ms)
      }
      const accept = () => {
        isAccepted = true
        startDeadline(call.timeoutMs)
        // During a long call the peer reports from time to time that it works, unless its host is lost.
        if (call.timeoutMs > SILENT_MS) request.setTimeout(SILENT_MS, giveUp)
      }
      startDeadline(Math.min(CONNECT_TIMEOUT_MS, call.timeoutMs))
      wasReused = agents.whenConnected(socket, isTls, accept)
    })
    request.on('error', (err: NodeJS.ErrnoException) => {
      endDeadline()
      reject(failureOf(err, isAccepted, wasReused))
    })
    request.once('response', (response) => {
      request.setTimeout(0)
      readAnswer(response, call).finally(endDeadline).then(resolve, reject)
    })
    request.end(body)
  })
}

function failureOf(err: NodeJS.ErrnoException, isAccepted: boolean, wasReused: boolean): Error {
  if (err instanceof AnswerTimeoutError || err instanceof NotAcceptedError) return err
  if (wasReused && err.code === 'ECONNRESET') return new StaleConnectionError(err.message, { cause: err })
  return isAccepted
    ? new ConnectionLostError(err.message, { cause: err })
    : new NotAcceptedError(err.message, { cause: err })
}

/** The answer; its tail, if it has one, is read later. */
async function readAnswer(response: IncomingMessage, { tail, timeoutMs }: Call): Promise<Answer> {
  const status = response.statusCode ?? 0
  if (status === 200 && tail !== undefined)
    return { status, value: await readWithTail(response, tail, Math.min(timeoutMs, SILENT_MS)) }
  return { status, value: await json(response) }
}

/** The error that a peer answered. */
export function peerError(answer: unknown): AppError {
  const { result: _result, msg, code, ...details } = answer as Record<string, unknown>
  const known = typeof code === 'string' && code in errorTable ? (code as ErrorCode) : 'INTERNAL'
  return new AppError(known, { message: String(msg), details })
}

/** The error if no replica of a service answers. */
export function unreachable(owner: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `The ${owner} service does not answer; try again shortly`,
    cause,
  })
}
