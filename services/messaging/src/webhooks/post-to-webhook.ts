import type { IncomingMessage } from 'node:http'
import {
  type Agents,
  type ClientTls,
  createAgents,
  isHttps,
  isPrivateHost,
  requestBy,
  withPublicAuthorities,
} from '@tms/service-kit'
import { PrivateAddressError, publicLookup } from './public-lookup.ts'

/** For the whole call: from resolving the name to the last byte of the answer. */
const TIMEOUT_MS = 10_000
/** The longest message, if JSON escaped every character as an emoji. */
const MAX_ANSWER_BYTES = 128 * 1024

export interface WebhookRequest {
  readonly url: string
  readonly body: string
  readonly contentType: string
  /** Those that name and sign the call. */
  readonly headers: Readonly<Record<string, string>>
}

export interface WebhookAnswer {
  readonly status: number
  readonly body: string
}

/** Sends a request to a webhook. Throws `WebhookCallError`. */
export type PostToWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>

/** A call without a usable answer. The message says why, in words for the bot's owner. */
export class WebhookCallError extends Error {
  /** Whether another attempt may help. */
  readonly isTransient: boolean

  constructor(message: string, { isTransient, cause }: { isTransient: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isTransient = isTransient
  }
}

/**
 * Creates the client that calls webhooks. Unless `allowsPrivate`, it connects to no address of this machine or its
 * network, whatever a name resolves to at that moment: it connects to the very address that was checked, and doesn't
 * follow redirects. It trusts certificates of public authorities and of `tls`. The client certificate, by which
 * services know each other, is never presented.
 */
export function createWebhookClient({
  allowsPrivate,
  tls,
  timeoutMs = TIMEOUT_MS,
  lookup = publicLookup,
}: {
  allowsPrivate: boolean
  tls: ClientTls
  timeoutMs?: number
  lookup?: typeof publicLookup
}): PostToWebhook {
  // A pooled connection may have been closed meanwhile, and calls of one URL are rare.
  const { ca } = withPublicAuthorities(tls)
  const options = { keepAlive: false, ...(allowsPrivate ? {} : { lookup }) }
  const agents = createAgents(options, ca === undefined ? {} : { ca })
  return async (request) => {
    // An address in the URL itself is never resolved.
    if (!allowsPrivate && isPrivateHost(new URL(request.url).hostname)) throw privateAddress()
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await post(request, agents.of(isHttps(request.url)), signal)
    } catch (err) {
      throw toWebhookCallError(err, signal, timeoutMs)
    }
  }
}

function post(
  { url, body, contentType, headers }: WebhookRequest,
  agent: ReturnType<Agents['of']>,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const request = requestBy(isHttps(url))(url, {
      agent,
      signal,
      method: 'POST',
      headers: {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        accept: 'application/json',
        'user-agent': 'TeamMessagingService',
        ...headers,
      },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      read(response).then(resolve, reject)
    })
    request.end(body)
  })
}

async function read(response: IncomingMessage): Promise<WebhookAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES)
      throw new WebhookCallError(`its answer has more than ${MAX_ANSWER_BYTES / 1024} KiB`, {
        isTransient: false,
      })
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }
}

function toWebhookCallError(err: unknown, signal: AbortSignal, timeoutMs: number): WebhookCallError {
  if (err instanceof WebhookCallError) return err
  if (err instanceof PrivateAddressError) return privateAddress()
  if (signal.aborted)
    return new WebhookCallError(`it did not answer within ${timeoutMs / 1000} seconds`, {
      isTransient: true,
      cause: err,
    })
  const { code } = err as NodeJS.ErrnoException
  return new WebhookCallError(`it could not be reached${code === undefined ? '' : ` (${code})`}`, {
    isTransient: true,
    cause: err,
  })
}

const privateAddress = () =>
  new WebhookCallError('its URL leads to a local or private address, which webhooks must not call', {
    isTransient: false,
  })
