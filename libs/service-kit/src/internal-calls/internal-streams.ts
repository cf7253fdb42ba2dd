import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { InternalEndpoint } from '@tms/contracts'
import type { z } from 'zod'
import { SILENT_MS } from '../http/processing.ts'
import { connectedEvent, isHttps, PROBE_AFTER_MS, requestBy } from '../tls/requests.ts'
import type { ClientTls } from '../tls/settings.ts'
import { CONNECT_TIMEOUT_MS, peerError, unreachable } from './internal-client.ts'

/**
 * How long nothing may move once the answer has begun: the peer may be looking for the next part. A lost host is
 * found by TCP's probes, since nothing is in flight then. Too large keeps a transaction open for a peer that hangs,
 * too small breaks off an export that would have succeeded.
 */
const PAUSE_MS = 300_000

interface StreamOptions {
  readonly requestId?: string
  /** Aborts the call. */
  readonly signal?: AbortSignal
}

/**
 * Calls of other services' internal endpoints whose bytes are never buffered. Throws the peer's own error, or
 * SERVICE_UNAVAILABLE if no replica can be reached; a call that has begun isn't repeated.
 */
export interface InternalStreams {
  /** Bytes of the answer, whose stream fails if they break off; `size` if the peer knows it. */
  download<B extends z.ZodType>(
    endpoint: InternalEndpoint<B, z.ZodType, 'down'>,
    body: z.input<B>,
    options?: StreamOptions,
  ): Promise<{ readonly content: Readable; readonly size: number | null }>
  /** Sends `content`, and destroys it if the peer has answered before its end. */
  upload<B extends z.ZodType, R extends z.ZodType>(
    endpoint: InternalEndpoint<B, R, 'up'>,
    body: z.input<B>,
    content: Readable,
    options?: StreamOptions,
  ): Promise<z.output<R>>
}

/** Streams to and from the replicas of each owner, which are used in turn. */
export function createInternalStreams(
  urlsByOwner: Readonly<Record<string, readonly string[]>>,
  token: () => string,
  tls: ClientTls = {},
): InternalStreams {
  let nextReplica = 0
  /** A request on a connection of its own to the first replica that accepts one. */
  const open = async (
    { owner, path }: InternalEndpoint,
    { query = '', requestId, signal }: StreamOptions & { query?: string },
  ): Promise<ClientRequest> => {
    const urls = urlsByOwner[owner] ?? []
    const first = nextReplica++
    let lastError: unknown
    for (let attempt = 0; attempt < urls.length; attempt++) {
      signal?.throwIfAborted()
      const base = urls[(first + attempt) % urls.length] ?? ''
      const isTls = isHttps(base)
      const request = requestBy(isTls)(`${base}${path}${query}`, {
        ...(isTls ? tls : {}),
        agent: false,
        method: 'POST',
        ...(signal === undefined ? {} : { signal }),
        headers: {
          'content-type': query === '' ? 'application/json' : 'application/octet-stream',
          authorization: `Bearer ${token()}`,
          // Otherwise the peer ends the connection with its answer, which a sender that is not done might never see.
          connection: 'keep-alive',
          ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        },
      })
      try {
        await connected(request, isTls)
        return request
      } catch (err) {
        lastError = err
      }
    }
    throw unreachable(owner, lastError)
  }

  return {
    download: async (endpoint, body, options = {}) => {
      const request = await open(endpoint, options)
      const answered = answerOf(request)
      request.end(JSON.stringify(body))
      const response = await answered
      if (response.statusCode !== 200) throw peerError(await json(response))
      const length = response.headers['content-length']
      return { content: response, size: length === undefined ? null : Number(length) }
    },
    upload: async (endpoint, body, content, options = {}) => {
      const query = `?${new URLSearchParams({ parameters: JSON.stringify(body) }).toString()}`
      const request = await open(endpoint, { ...options, query }).catch((err: unknown) => {
        content.destroy()
        throw err
      })
      const answered = answerOf(request)
      // A failure shows in the answer, or in that none comes; an answer that comes first says more.
      pipeline(content, request).catch(() => {})
      const response = await answered.catch((err: unknown) => {
        throw content.errored ?? err
      })
      const answer = await json(response)
      content.destroy()
      if (response.statusCode !== 200) {
        request.destroy()
        throw peerError(answer)
      }
      return answer as z.output<typeof endpoint.response>
    },
  }
}

function connected(request: ClientRequest, isTls: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = new Error('the peer did not accept in time')
    const timer = setTimeout(() => request.destroy(late), CONNECT_TIMEOUT_MS)
    request.once('error', reject)
    request.once('close', () => clearTimeout(timer))
    request.once('socket', (socket) => {
      socket.once(connectedEvent(isTls), () => {
        clearTimeout(timer)
        socket.setKeepAlive(true, PROBE_AFTER_MS)
        request.off('error', reject)
        // Callers that wait for the answer get its errors; nobody else needs them.
        request.on('error', () => {})
        resolve()
      })
    })
  })
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  // A peer that is working sends `102 Processing`.
  request.setTimeout(SILENT_MS, () => request.destroy(new Error('the peer was silent for too long')))
  return new Promise((resolve, reject) => {
    request.once('response', (response) => {
      request.setTimeout(PAUSE_MS)
      resolve(response)
    })
    request.once('error', reject)
    request.once('close', () => reject(new Error('the peer left without an answer')))
  })
}
