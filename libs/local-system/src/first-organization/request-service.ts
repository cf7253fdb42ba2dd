import { type IncomingMessage, type RequestOptions, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import type { Tls } from '../servers/tls-files.ts'

const TIMEOUT_MS = 15_000
/** Statuses of proxies and services if the service behind them is unavailable. */
const UNAVAILABLE_STATUSES = [502, 503, 504]

export type ServiceRequest = {
  /** TLS settings for `https:` URLs. */
  readonly tls?: Tls | undefined
  /** Name of the service, for the error if it doesn't answer. */
  readonly serviceName: string
  readonly url: string
  readonly headers: Record<string, string>
  /** Body of a POST; without it the request is a GET. */
  readonly body?: { readonly json: unknown } | { readonly form: Record<string, string> }
}

/** An answer other than 200, with the service's message. */
export class RefusedError extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The service didn't answer, or is unavailable at the moment. */
export class UnansweredError extends Error {}

/**
 * Sends a request to a service and returns the JSON object of the answer. Throws `RefusedError` for any other status
 * than 200, and `UnansweredError`. Uses `node:http`, because `fetch` doesn't allow another Host header than the
 * URL's.
 */
export async function requestService({
  serviceName,
  url,
  headers,
  body,
  tls,
}: ServiceRequest): Promise<Record<string, unknown>> {
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
    throw new UnansweredError(
      `The ${serviceName} does not answer at ${new URL(url).origin} (${err.message})`,
      {
        cause: err,
      },
    )
  })
  const value = parseObject(answer.text)
  if (answer.status === 200 && value) return value
  const errorText = typeof value?.['msg'] === 'string' ? value['msg'] : answer.text.slice(0, 500)
  if (UNAVAILABLE_STATUSES.includes(answer.status))
    throw new UnansweredError(errorText || `The ${serviceName} is not ready`)
  throw new RefusedError(
    errorText || `The ${serviceName} answered ${answer.status} without a message`,
    answer.status,
  )
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Sends a request, by the URL's scheme. Rejects if there is no answer. */
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
