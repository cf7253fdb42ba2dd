import { AppError } from '@tms/contracts'
import { type ClientTls, isPrivateHost, requestBy } from '@tms/service-kit'
import type { CustomFetch } from 'openid-client'

/** Discovery documents, keys, tokens and people are all far smaller. */
const MAX_BYTES = 262_144
const SERVER_ERROR = 500

/**
 * Calls a provider: without following redirects, at most for `timeoutMs` and 256 KiB. What its documents name may not
 * lead into this network, unless the provider is in it. Rejects with SERVICE_UNAVAILABLE.
 */
export function createProviderFetch({
  home,
  name,
  timeoutMs,
  tls,
}: {
  /** A URL of the provider that its operator has set. */
  readonly home: string
  /** As people know it. */
  readonly name: string
  readonly timeoutMs: number
  readonly tls: ClientTls
}): CustomFetch {
  const mayBePrivate = isPrivateHost(new URL(home).hostname)
  const unavailable = (cause: unknown) =>
    new AppError('SERVICE_UNAVAILABLE', { message: `${name} does not answer; try again shortly`, cause })
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    if (!mayBePrivate && isPrivateHost(url.hostname))
      throw unavailable(new Error(`${url.host} is in a private network`))
    const isTls = url.protocol === 'https:'
    try {
      const answer = await send(url, {
        ...{ method, timeoutMs, isTls, tls },
        headers: { 'user-agent': 'team-messaging-service', ...headers },
        body: typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : '',
      })
      if (answer.status >= SERVER_ERROR) throw new Error(`${url.host} answered ${answer.status}`)
      return answer
    } catch (err) {
      throw unavailable(err)
    }
  }
}

interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly isTls: boolean
  readonly tls: ClientTls
}

function send(url: URL, { method, headers, body, timeoutMs, isTls, tls }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const request = requestBy(isTls)(url, { method, headers, signal, agent: false, ...(isTls && tls) })
    request.once('error', reject)
    request.once('response', (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_BYTES) return void answer.destroy(new Error(`more than ${MAX_BYTES} bytes`))
        chunks.push(chunk)
      })
      answer.once('error', reject)
      answer.once('end', () => {
        const status = answer.statusCode ?? 0
        const hasNone = status === 204 || status === 304
        const contentType = answer.headers['content-type']
        const wwwAuthenticate = answer.headers['www-authenticate']
        resolve(
          new Response(hasNone ? null : Buffer.concat(chunks), {
            status,
            headers: {
              ...(contentType !== undefined && { 'content-type': contentType }),
              ...(wwwAuthenticate !== undefined && { 'www-authenticate': wwwAuthenticate }),
            },
          }),
        )
      })
    })
    request.end(body)
  })
}
