import { type IncomingMessage, type RequestOptions, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import type { Tls } from '../servers/tls-files.ts'

const TIMEOUT_MS = 15_000
/** What proxies and services answer for others that are away. */
const AWAY = [502, 503, 504]

export type Question = {
  /** How a server with `https:` is known. */
  readonly tls?: Tls | undefined
  /** Who is asked, for the error when nobody answers. */
  readonly whom: string
  readonly url: string
  readonly headers: Record<string, string>
  /** What is sent, by POST; without it it's a GET. */
  readonly body?: { readonly json: unknown } | { readonly form: Record<string, string> }
}

/** An answer other than 200, in the words of who gave it. */
export class RefusedError extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Nobody answered, or whoever did can't at the moment. */
export class UnansweredError extends Error {}

/**
 * Asks a service and returns the JSON object that comes back. Throws `RefusedError` for any other status than 200, and
 * `UnansweredError`. By `node:http`, because `fetch` lets nobody name another host than the URL's.
 */
export async function ask({ whom, url, headers, body, tls }: Question): Promise<Record<string, unknown>> {
  const [type, text] = !body
    ? [null, '']
    : 'json' in body
      ? ['application/json', JSON.stringify(body.json)]
      : ['application/x-www-form-urlencoded', new URLSearchParams(body.form).toString()]
  const options = {
    ...tls,
    method: type === null ? 'GET' : 'POST',
    headers: {
      ...headers,
      ...(type !== null && { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
  const answer = await send(url, options, text).catch((err: Error) => {
    throw new UnansweredError(`The ${whom} does not answer at ${new URL(url).origin} (${err.message})`, {
      cause: err,
    })
  })
  const value = parseObject(answer.text)
  if (answer.status === 200 && value) return value
  const said = typeof value?.['msg'] === 'string' ? value['msg'] : answer.text.slice(0, 500)
  if (AWAY.includes(answer.status)) throw new UnansweredError(said || `The ${whom} is not ready`)
  throw new RefusedError(said || `The ${whom} answered ${answer.status} without a word`, answer.status)
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Sends a request, by the URL's scheme. Rejects when nobody answers. */
export function send(
  url: string,
  options: RequestOptions,
  body: string,
): Promise<{ status: number; text: string }> {
  const request = url.startsWith('https:') ? requestByHttps : requestByHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
