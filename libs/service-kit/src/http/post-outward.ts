import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isPrivateHost } from '../addresses/private-addresses.ts'
import { PrivateAddressError, publicLookup } from '../addresses/public-lookup.ts'
import { type Agents, createAgents, isHttps, requestBy } from '../tls/requests.ts'
import { type ClientTls, withPublicAuthorities } from '../tls/settings.ts'

export interface OutwardRequest {
  readonly url: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export interface OutwardAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request to an address that a user gave. Throws `OutwardCallError`. */
export type PostOutward = (request: OutwardRequest) => Promise<OutwardAnswer>

/** Why there is no usable answer. */
export type OutwardFault = 'private_address' | 'timeout' | 'too_large' | 'unreachable'

/** A call without a usable answer. */
export class OutwardCallError extends Error {
  readonly fault: OutwardFault
  /** The error code of the operating system, if there is one. */
  readonly code: string | undefined
  /** The answer without its body, if that is too large. */
  readonly answered: Pick<OutwardAnswer, 'status' | 'headers'> | undefined

  constructor(fault: OutwardFault, cause?: unknown, answered?: Pick<OutwardAnswer, 'status' | 'headers'>) {
    super(`outward call failed: ${fault}`, { cause })
    this.fault = fault
    this.answered = answered
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code
  }
}

/**
 * Creates a client for addresses that users gave. Unless `allowsPrivate`, it connects to no address of this machine or
 * its network, whatever a name resolves to at that moment: it connects to the very address that was checked, and
 * doesn't follow redirects. It trusts certificates of public authorities and of `tls`. The client certificate, by which
 * services know each other, is never presented. `timeoutMs` is for the whole call, from resolving the name to the last
 * byte of the answer.
 */
export function createOutwardClient({
  allowsPrivate,
  tls,
  timeoutMs,
  maxAnswerBytes,
  keepsConnections = false,
  lookup = publicLookup,
}: {
  readonly allowsPrivate: boolean
  readonly tls: ClientTls
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /** For services that get many calls: a connection costs more than a call. Of a function, whether it is one is asked for each call. */
  readonly keepsConnections?: boolean | ((url: URL) => boolean)
  readonly lookup?: LookupFunction
}): PostOutward {
  // Otherwise a pooled connection has been closed at the next call, since calls of one address are rare.
  const { ca } = withPublicAuthorities(tls)
  const agentsWith = (keepAlive: boolean) =>
    createAgents({ keepAlive, ...(allowsPrivate ? {} : { lookup }) }, ca === undefined ? {} : { ca })
  const [kept, single] = [agentsWith(true), agentsWith(false)]
  const keepsTo = typeof keepsConnections === 'function' ? keepsConnections : () => keepsConnections
  return async (request) => {
    const url = new URL(request.url)
    // An address in the URL itself is never resolved.
    if (!allowsPrivate && isPrivateHost(url.hostname)) throw new OutwardCallError('private_address')
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const isTls = isHttps(request.url)
      // After a pause the service may have closed all that are kept.
      const agents = { first: (keepsTo(url) ? kept : single).of(isTls), repeat: single.of(isTls) }
      return await post(request, agents, signal, maxAnswerBytes)
    } catch (err) {
      if (err instanceof OutwardCallError) throw err
      if (err instanceof PrivateAddressError) throw new OutwardCallError('private_address', err)
      throw new OutwardCallError(signal.aborted ? 'timeout' : 'unreachable', err)
    }
  }
}

type Agent = ReturnType<Agents['of']>

function post(
  { url, body, headers }: OutwardRequest,
  agents: { readonly first: Agent; readonly repeat: Agent },
  signal: AbortSignal,
  maxAnswerBytes: number,
  isRepeated = false,
): Promise<OutwardAnswer> {
  return new Promise((resolve, reject) => {
    const request = requestBy(isHttps(url))(url, {
      agent: isRepeated ? agents.repeat : agents.first,
      signal,
      method: 'POST',
      headers: {
        'content-length': Buffer.byteLength(body),
        'user-agent': 'TeamMessagingService',
        ...headers,
      },
    })
    request.once('error', (err: NodeJS.ErrnoException) => {
      // Mostly the service closed the idle connection at the same moment, and hasn't seen the request. Not a second time:
      // one that ends while it handles the request resets the connection as well.
      if (request.reusedSocket && err.code === 'ECONNRESET' && !signal.aborted && !isRepeated)
        post({ url, body, headers }, agents, signal, maxAnswerBytes, true).then(resolve, reject)
      else reject(err)
    })
    request.once('response', (response) => {
      read(response, maxAnswerBytes).then(resolve, reject)
    })
    request.end(body)
  })
}

async function read(response: IncomingMessage, maxAnswerBytes: number): Promise<OutwardAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const { statusCode: status = 0, headers } = response
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxAnswerBytes) throw new OutwardCallError('too_large', undefined, { status, headers })
    chunks.push(chunk)
  }
  return { status, headers, body: Buffer.concat(chunks).toString() }
}
