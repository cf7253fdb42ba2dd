import type { CallOptions, ClientOptions } from './call-options.ts'
import { encodeRequest } from './encode-request.ts'
import { ApiError, NoAnswerError } from './errors.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Operations } from './generated/operations.ts'
import type { Operation } from './operation.ts'
import { readAnswer } from './read-answer.ts'
import { retryDelayMs } from './retry-delay.ts'
import { findRootCause } from './root-cause.ts'
import { wait } from './wait.ts'

const TIMEOUT_MS = 30_000
/** Longer than any server holds a long poll: ends a request whose connection was lost silently. */
const LONG_POLL_TIMEOUT_MS = 150_000
const RETRIES = 3
const MAX_WAIT_MS = 60_000

/** Calls an operation by its name and returns its answer: fields, or a `Response` for a file. */
export type Call = (name: keyof Operations, parameters?: object, options?: AttemptOptions) => Promise<unknown>

interface AttemptOptions extends CallOptions {
  /** Upper limit of one attempt, whatever the other limits are. */
  readonly leftMs?: number
}

type Request = RequestInit & { readonly path: string }

interface Deadline {
  readonly signal: AbortSignal
  /** Stops the timer. Must be called when the attempt is over. */
  readonly end: () => void
}

/** Creates the function that all calls of a client use: URL, credentials, deadlines, retries. Throws a TypeError for invalid options. */
export function createCaller(client: ClientOptions): Call {
  const base = parseBaseUrl(client.url)
  const common = { ...client.headers, ...createAuthorizationHeader(client) }
  const send = client.fetch ?? ((input, init) => fetch(input, init))

  const attempt = async (name: string, operation: Operation, request: Request, options: AttemptOptions) => {
    const timeoutMs = chooseTimeoutMs(options, defaultTimeoutMs(operation, request, client))
    const deadline = startDeadline(timeoutMs, options.signal, operation.returnsFile)
    try {
      const { path, ...init } = request
      const response = await send(`${base}${path}`, { ...init, signal: deadline.signal })
      return operation.returnsFile && isFileResponse(response)
        ? response
        : await readAnswer(name, base, response)
    } catch (err) {
      if (err instanceof ApiError || err instanceof NoAnswerError) throw err
      options.signal?.throwIfAborted()
      const why = deadline.signal.aborted ? ` in ${timeoutMs} ms` : `: ${findRootCause(err).message}`
      throw new NoAnswerError(name, `no answer came from ${base}${why}`, { cause: err })
    } finally {
      deadline.end()
    }
  }

  return async (name, parameters = {}, options = {}) => {
    const operation = operationTable[name]
    const { path, body } = encodeRequest(operation, { ...parameters })
    const key = operation.takesIdempotencyKey && {
      'idempotency-key': options.idempotencyKey ?? createIdempotencyKey(),
    }
    const request = {
      ...{ path, body, method: operation.method, headers: { ...common, ...key } },
      // Otherwise a browser prompts for a password when a key is rejected.
      credentials: 'omit' as const,
    }
    const isSafeToRepeat = operation.takesIdempotencyKey === true || operation.method === 'GET'
    const retries = options.retries ?? client.retries ?? RETRIES
    for (let attempts = 1; ; attempts++) {
      try {
        options.signal?.throwIfAborted()
        return await attempt(name, operation, request, options)
      } catch (err) {
        const delayMs = attempts > retries ? null : retryDelayMs(err, attempts, isSafeToRepeat)
        if (delayMs === null || delayMs > (client.maxWaitMs ?? MAX_WAIT_MS)) throw err
        await wait(delayMs, options.signal)
      }
    }
  }
}

/** The file, 304 Not Modified, or a redirect to the file, which some platforms don't follow. */
const isFileResponse = ({ status, type }: Response): boolean => type === 'opaqueredirect' || status < 400

/** Null, no limit, for files. */
function defaultTimeoutMs(operation: Operation, { body }: Request, client: ClientOptions): number | null {
  if (operation.returnsFile || body instanceof FormData) return null
  return operation.isLongPoll ? LONG_POLL_TIMEOUT_MS : (client.timeoutMs ?? TIMEOUT_MS)
}

function chooseTimeoutMs({ timeoutMs, leftMs }: AttemptOptions, defaultMs: number | null): number | null {
  const wantedMs = timeoutMs ?? defaultMs
  return leftMs === undefined ? wantedMs : Math.ceil(Math.min(wantedMs ?? leftMs, leftMs))
}

/**
 * Aborts one attempt at its deadline or by the caller's signal; a file can be aborted by the signal while it is read. Removes
 * its listeners from the signal, which may live as long as the program.
 */
function startDeadline(timeoutMs: number | null, outer?: AbortSignal, returnsFile = false): Deadline {
  const controller = new AbortController()
  const timer = timeoutMs === null ? undefined : setTimeout(() => controller.abort(), timeoutMs)
  if (returnsFile && outer) {
    // The end of the file isn't known here; this signal is collected with the response.
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

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError(
      `url must be an address such as https://chat.example.com, not ${JSON.stringify(text)}`,
    )
  if (url.username !== '' || url.password !== '')
    throw new TypeError('url must have no credentials in it: use email and apiKey')
  return url.href.replace(/\/+$/, '')
}

function createAuthorizationHeader({ email, apiKey }: ClientOptions): Record<string, string> {
  if (email === undefined && apiKey === undefined) return {}
  if (email === undefined || apiKey === undefined)
    throw new TypeError(
      `email and apiKey belong together: ${email === undefined ? 'email' : 'apiKey'} is missing`,
    )
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** Avoids `randomUUID`, which browsers offer on pages with TLS only. */
function createIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
