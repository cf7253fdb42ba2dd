import type { CallOptions, ClientOptions } from './call-options.ts'
import { encodeRequest } from './encode-request.ts'
import { ApiError, NoAnswerError } from './errors.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Operations } from './generated/operations.ts'
import type { Operation } from './operation.ts'
import { readAnswer } from './read-answer.ts'
import { retryDelayMs } from './retry-delay.ts'
import { rootCauseOf } from './root-cause.ts'
import { wait } from './wait.ts'

const TIMEOUT_MS = 30_000
/** Longer than any server holds an answer, so that it ends what the network forgot. */
const HELD_TIMEOUT_MS = 150_000
const RETRIES = 3
const MAX_WAIT_MS = 60_000

/** Calls an operation by its name and gives its answer: fields, or a `Response` where it is a file. */
export type Call = (name: keyof Operations, parameters?: object, options?: AttemptOptions) => Promise<unknown>

interface AttemptOptions extends CallOptions {
  /** An attempt may take no longer than this, however long it may take otherwise. */
  readonly leftMs?: number
}

type Request = RequestInit & { readonly path: string }

interface Deadline {
  readonly signal: AbortSignal
  /** The time doesn't count any more. Must be called once the attempt is over. */
  readonly end: () => void
}

/**
 * What all calls of a client have in common: address, credentials, deadlines and second attempts. Throws a TypeError for
 * options that no call could be made with.
 */
export function createCaller(client: ClientOptions): Call {
  const base = baseUrlOf(client.url)
  const common = { ...client.headers, ...authorization(client) }
  const send = client.fetch ?? ((input, init) => fetch(input, init))

  const attempt = async (name: string, operation: Operation, request: Request, options: AttemptOptions) => {
    const timeoutMs = timeoutMsOf(options, usualTimeoutMs(operation, request, client))
    const deadline = startDeadline(timeoutMs, options.signal, operation.givesFile)
    try {
      const { path, ...init } = request
      const response = await send(`${base}${path}`, { ...init, signal: deadline.signal })
      return operation.givesFile && isFile(response) ? response : await readAnswer(name, base, response)
    } catch (err) {
      if (err instanceof ApiError || err instanceof NoAnswerError) throw err
      options.signal?.throwIfAborted()
      const why = deadline.signal.aborted ? ` in ${timeoutMs} ms` : `: ${rootCauseOf(err).message}`
      throw new NoAnswerError(name, `no answer came from ${base}${why}`, { cause: err })
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

function timeoutMsOf({ timeoutMs, leftMs }: AttemptOptions, usualMs: number | null): number | null {
  const wantedMs = timeoutMs ?? usualMs
  return leftMs === undefined ? wantedMs : Math.ceil(Math.min(wantedMs ?? leftMs, leftMs))
}

/**
 * Ends one attempt when its time is over or the caller's signal says so; for a file that signal goes on counting while the
 * file comes. Leaves nothing with the signal, which may live as long as the program.
 */
function startDeadline(timeoutMs: number | null, outer?: AbortSignal, givesFile = false): Deadline {
  const controller = new AbortController()
  const timer = timeoutMs === null ? undefined : setTimeout(() => controller.abort(), timeoutMs)
  if (givesFile && outer) {
    // Nobody tells when the file has been read: this one is forgotten with the response.
    const signal = AbortSignal.any([controller.signal, outer])
    return { signal, end: () => clearTimeout(timer) }
  }
  const abort = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError(
      `url must be an address such as https://chat.example.com, not ${JSON.stringify(text)}`,
    )
  if (url.username !== '' || url.password !== '')
    throw new TypeError('url must have no credentials in it: they are email and apiKey')
  return url.href.replace(/\/+$/, '')
}

function authorization({ email, apiKey }: ClientOptions): Record<string, string> {
  if (email === undefined && apiKey === undefined) return {}
  if (email === undefined || apiKey === undefined)
    throw new TypeError(
      `email and apiKey belong together: ${email === undefined ? 'email' : 'apiKey'} is missing`,
    )
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** Not by `randomUUID`, which browsers keep from pages without TLS. */
function createKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
