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
import { PrivateAddress, publicLookup } from './public-lookup.ts'

/** From the first try to find the address until the last byte of the answer. */
const TIMEOUT_MS = 10_000
/** A text of the longest message, were all of it emoji spelt as JSON may spell them. */
const MAX_ANSWER_BYTES = 128 * 1024

/** What a webhook is sent. */
export interface WebhookRequest {
  readonly url: string
  readonly body: string
  readonly contentType: string
  /** The same each time that this is sent. */
  readonly deliveryId: string
}

/** What came back. */
export interface WebhookAnswer {
  readonly status: number
  readonly body: string
}

/** Sends a request to a webhook. Throws `Unanswered`. */
export type PostToWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>

/** A call that got no answer, or none to read. Its message says why, in words for the bot's owner. */
export class Unanswered extends Error {
  /** Whether calling again may help. */
  readonly mayPass: boolean

  constructor(message: string, { mayPass, cause }: { mayPass: boolean; cause?: unknown }) {
    super(message, { cause })
    this.mayPass = mayPass
  }
}

/**
 * Makes what calls webhooks. Unless `allowsPrivate`, it connects to nothing on this machine or in its network, whatever a
 * name leads to at that moment: the address that was looked at is the one that is connected to, and redirections
 * aren't followed. Certificates are trusted that the public authorities have signed, and those of `tls`; its own one, by
 * which servers know a service, is shown to nobody.
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
  // A connection that is kept would be one that may have ended meanwhile, and calls of one URL are seldom.
  const { ca } = withPublicAuthorities(tls)
  const options = { keepAlive: false, ...(allowsPrivate ? {} : { lookup }) }
  const agents = createAgents(options, ca === undefined ? {} : { ca })
  return async (request) => {
    // Of an address in the URL itself nothing is looked up.
    if (!allowsPrivate && isPrivateHost(new URL(request.url).hostname)) throw privateAddress()
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await post(request, agents.of(isHttps(request.url)), signal)
    } catch (err) {
      throw asUnanswered(err, signal, timeoutMs)
    }
  }
}

function post(
  { url, body, contentType, deliveryId }: WebhookRequest,
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
        'idempotency-key': deliveryId,
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
    // Leaving the loop ends the connection.
    if (bytes > MAX_ANSWER_BYTES)
      throw new Unanswered(`its answer has more than ${MAX_ANSWER_BYTES / 1024} KiB`, { mayPass: false })
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }
}

function asUnanswered(err: unknown, signal: AbortSignal, timeoutMs: number): Unanswered {
  if (err instanceof Unanswered) return err
  if (err instanceof PrivateAddress) return privateAddress()
  if (signal.aborted)
    return new Unanswered(`it did not answer within ${timeoutMs / 1000} seconds`, {
      mayPass: true,
      cause: err,
    })
  const { code } = err as NodeJS.ErrnoException
  return new Unanswered(`it could not be reached${code === undefined ? '' : ` (${code})`}`, {
    mayPass: true,
    cause: err,
  })
}

const privateAddress = () =>
  new Unanswered('its URL leads to a local or private address, which webhooks must not call', {
    mayPass: false,
  })
