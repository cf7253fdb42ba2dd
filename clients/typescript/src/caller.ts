import type { CallOptions, ClientOptions } from './call-options.ts'
import { encodeRequest } from './encode-request.ts'
import { ApiError, NoAnswerError } from './errors.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Operations } from './generated/operations.ts'
import type { Operation } from './operation.ts'
import { readAnswer } from './read-answer.ts'
import { retryDelayMs } from './retry-delay.ts'
import { wait } from './wait.ts'

const TIMEOUT_MS = 30_000
/** Longer than any server holds an answer, so that it ends what the network forgot. */
const HELD_TIMEOUT_MS = 150_000
const RETRIES = 3
const MAX_WAIT_MS = 60_000

/** Calls an operation by its name and gives its answer: fields, or a `Response` where it is a file. */
export type Call = (name: keyof Operations, parameters?: object, options?: CallOptions) => Promise<unknown>

type Request = RequestInit & { readonly path: string }

interface Deadline {
  readonly signal: AbortSignal
  /** The time doesn't count any more, only the caller's signal: a file is coming. */
  readonly lift: () => void
  /** Must be called once the attempt is over, or it stays with a signal that may live as long as the program. */
  readonly end: () => void
}

/** What all calls of a client have in common: address, credentials, deadlines and second attempts. */
export function createCaller(client: ClientOptions): Call {
  const base = new URL(client.url).href.replace(/\/+$/, '')
  const common = { ...client.headers, ...authorization(client) }
  const send = client.fetch ?? ((input, init) => fetch(input, init))

  const attempt = async (name: string, operation: Operation, request: Request, options: CallOptions) => {
    const timeoutMs = options.timeoutMs ?? usualTimeoutMs(operation, request, client)
    const deadline = startDeadline(timeoutMs, options.signal)
    try {
      const { path, ...init } = request
      const response = await send(`${base}${path}`, { ...init, signal: deadline.signal })
      if (!operation.givesFile || !isFile(response)) return await readAnswer(name, response)
      deadline.lift()
      return response
    } catch (err) {
      if (err instanceof ApiError || err instanceof NoAnswerError) throw err
      options.signal?.throwIfAborted()
      const reason = deadline.signal.aborted ? `no answer came in ${timeoutMs} ms` : 'no answer came'
      throw new NoAnswerError(name, reason, { cause: err })
    } finally {
      deadline.end()
    }
  }

  return async (name, parameters = {}, options = {}) => {
    const operation = operationTable[name]
    const { path, body } = encodeRequest(operation, { ...parameters })
    const key = operation.isRepeatable && { 'idempotency-key': options.idempotencyKey ?? createKey() }
    const request = {
      ...{ path, body, method: operation.method, headers: { ...common, ...key } },
      // Else a browser asks people for a password when a key is refused.
      credentials: 'omit' as const,
    }
    const isRepeatable = operation.isRepeatable === true || operation.method === 'GET'
    const retries = options.retries ?? client.retries ?? RETRIES
    for (let tried = 1; ; tried++) {
      try {
        options.signal?.throwIfAborted()
        return await attempt(name, operation, request, options)
      } catch (err) {
        const delayMs = tried > retries ? null : retryDelayMs(err, tried, isRepeatable)
        if (delayMs === null || delayMs > (client.maxWaitMs ?? MAX_WAIT_MS)) throw err
        await wait(delayMs, options.signal)
      }
    }
  }
}

/** The file, or word that the client has it, or where it is: told by `location`, unless the platform goes there. */
const isFile = ({ status, type }: Response): boolean => type === 'opaqueredirect' || status < 400

/** A file takes as long as it takes: null. */
function usualTimeoutMs(operation: Operation, { body }: Request, client: ClientOptions): number | null {
  if (operation.givesFile || body instanceof FormData) return null
  return operation.isHeld ? HELD_TIMEOUT_MS : (client.timeoutMs ?? TIMEOUT_MS)
}

/** Ends one attempt when its time is over or the caller's signal says so. */
function startDeadline(timeoutMs: number | null, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', abort, { once: true })
  const timer = timeoutMs === null ? undefined : setTimeout(() => controller.abort(), timeoutMs)
  let isLifted = false
  return {
    signal: controller.signal,
    lift: () => {
      isLifted = true
    },
    end: () => {
      clearTimeout(timer)
      if (!isLifted) outer?.removeEventListener('abort', abort)
    },
  }
}

function authorization({ email, apiKey }: ClientOptions): Record<string, string> {
  if (email === undefined || apiKey === undefined) return {}
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** Not by `randomUUID`, which browsers keep from pages without TLS. */
function createKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
