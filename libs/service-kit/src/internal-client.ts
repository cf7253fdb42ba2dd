import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode, errorTable, type InternalEndpoint } from '@tms/contracts'
import type { z } from 'zod'
import { createConcurrencyLimit, type LimitConcurrency } from './concurrency-limit.ts'
import { SILENT_MS } from './http/processing.ts'
import { readWithTail } from './http/read-with-tail.ts'
import { pauseBeforeAttempt } from './retry.rules.ts'
import { type Agents, createAgents, isHttps, requestBy } from './tls/requests.ts'
import type { ClientTls } from './tls/settings.ts'
import { currentTraceparent, inSpan, isTracing, SpanKind } from './tracing/tracer.ts'

/** A peer that takes longer is treated as away; too small fails calls on a busy machine. */
const CALL_TIMEOUT_MS = 5_000
/** Calls to one replica at once; more wait here, where waiting is cheap, rather than at the peer's database. */
const MAX_CONNECTIONS = 64
/** A replica that doesn't even accept is passed over: too small skips a busy one, too large keeps callers waiting. */
export const CONNECT_TIMEOUT_MS = 2_000
/** Answers with a tail that are read at once, as slowly as clients take them: each holds a connection, and little else. */
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
  /** Of each attempt. */
  readonly timeoutMs?: number
}

interface Answer {
  readonly status: number
  readonly value: unknown
}

/**
 * A client over the replicas of each owner: they are taken in turn, and one that can't be reached is passed
 * over for the next. Behind one address there may be many, of whom one has just left: a call that nobody took is made
 * again after pauses, one that was lost with its replica once more. Throws the peer's own error, or SERVICE_UNAVAILABLE
 * when none answers. By `node:http`: `fetch` was a fifth of the CPU of a gateway that many clients came back to.
 */
export function createInternalClient(
  urlsByOwner: Readonly<Record<string, readonly string[]>>,
  token: () => string,
  tls: ClientTls = {},
): InternalClient {
  const agents = createAgents({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: 'lifo' }, tls)
  // Apart, so that slow clients who take up all of these leave the other calls theirs.
  const tailAgents = createAgents({ keepAlive: true, maxSockets: MAX_TAILS, scheduling: 'lifo' }, tls)
  const turnsByOwner = new Map<string, LimitConcurrency>()
  for (const owner of Object.keys(urlsByOwner)) {
    const refusal = `The ${owner} service is busy; try again shortly`
    turnsByOwner.set(
      owner,
      createConcurrencyLimit({ maxAtOnce: MAX_CONNECTIONS, maxWaiting: MAX_WAITING, refusal }),
    )
  }
  let turn = 0
  const call: InternalClient = async (endpoint, body, options = {}) => {
    const { requestId, timeoutMs = CALL_TIMEOUT_MS } = options
    const urls = urlsByOwner[endpoint.owner] ?? []
    const text = JSON.stringify(body)
    // Of this call: other calls take turns meanwhile, and would lead it back to the replica that failed.
    const first = turn++
    let lastError: unknown
    for (
      let attempt = 0;
      attempt < urls.length || mayGoRoundAgain(lastError, attempt - urls.length);
      attempt++
    ) {
      const pauseMs = pauseBeforeAttempt(attempt, urls.length)
      if (pauseMs === null) break
      if (pauseMs > 0) await sleep(pauseMs)
      const base = urls[(first + attempt) % urls.length] ?? ''
      try {
        const terms = { token: token(), requestId, timeoutMs, tail: endpoint.tail }
        const url = base + endpoint.path
        const inTurn = turnsByOwner.get(endpoint.owner)
        const { status, value } =
          endpoint.tail === undefined || inTurn === undefined
            ? await postAgainIfStale(agents, url, text, terms)
            : await inTurn(() => postAgainIfStale(tailAgents, url, text, terms))
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

/** An idle connection may have ended just now, when the peer restarted: that says nothing of the peer. */
async function postAgainIfStale(agents: Agents, url: string, body: string, call: Call): Promise<Answer> {
  try {
    return await post(agents, url, body, call)
  } catch (err) {
    if (!(err instanceof StaleConnection)) throw err
    return post(agents, url, body, call)
  }
}

class StaleConnection extends Error {}
class LateAnswer extends Error {}
/** Nobody took the call: its peer can't have heard of it. */
class NeverTaken extends Error {}
/** It was on its way, and its connection ended. */
class LostCall extends Error {}

/**
 * Whether a call that failed so at every address is made once more, having been so already `again` times. Who is busy
 * isn't made faster by it.
 */
function mayGoRoundAgain(err: unknown, again: number): boolean {
  return err instanceof NeverTaken || (err instanceof LostCall && again === 0)
}

/** Sends one call. The deadline starts when it gets a connection, so that a queue of calls isn't its fault. */
function post(agents: Agents, url: string, body: string, call: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let late: NodeJS.Immediate | undefined
    const endDeadline = () => {
      clearTimeout(timer)
      clearImmediate(late)
    }
    const traceparent = currentTraceparent()
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
      },
    })
    let isTaken = false
    let isOld = false
    request.once('socket', (socket) => {
      const giveUp = () =>
        request.destroy(
          isTaken
            ? new LateAnswer('the peer did not answer in time')
            : new NeverTaken('the peer did not accept in time'),
        )
      const startDeadline = (ms: number) => {
        endDeadline()
        timer = setTimeout(() => {
          // Where this process itself was busy, the answer may be here already, and is read first.
          late = setImmediate(giveUp)
        }, ms)
      }
      const take = () => {
        isTaken = true
        startDeadline(call.timeoutMs)
        // Of a call that may take long: its peer says from time to time that it works at it, unless its host is lost.
        if (call.timeoutMs > SILENT_MS) request.setTimeout(SILENT_MS, giveUp)
      }
      startDeadline(Math.min(CONNECT_TIMEOUT_MS, call.timeoutMs))
      isOld = agents.whenConnected(socket, isTls, take)
    })
    request.on('error', (err: NodeJS.ErrnoException) => {
      endDeadline()
      reject(failureOf(err, isTaken, isOld))
    })
    request.once('response', (response) => {
      request.setTimeout(0)
      readAnswer(response, call).finally(endDeadline).then(resolve, reject)
    })
    request.end(body)
  })
}

function failureOf(err: NodeJS.ErrnoException, isTaken: boolean, isOld: boolean): Error {
  if (err instanceof LateAnswer || err instanceof NeverTaken) return err
  if (isOld && err.code === 'ECONNRESET') return new StaleConnection(err.message, { cause: err })
  return isTaken ? new LostCall(err.message, { cause: err }) : new NeverTaken(err.message, { cause: err })
}

/** The answer; a tail that it has comes later, as it is read. */
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

/** What to say when no replica of a service answers. */
export function unreachable(owner: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `The ${owner} service does not answer; try again shortly`,
    cause,
  })
}
