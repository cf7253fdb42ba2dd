import type { IncomingMessage } from 'node:http'
import { type AnyEndpoint, gatewayHeaders } from '@tms/contracts'

/** A shorter answer comes with the first round trip of a connection: ten segments (RFC 6928). */
export const MIN_BYTES = 14_000

/** What is done to the body of an answer: it is compressed, or inflated. */
export type Coding = 'gzip' | 'gunzip'

type Answered = Pick<AnyEndpoint, 'answer' | 'isLongPoll' | 'takesCookies' | 'mayBeGzipped'>

/**
 * What is done to the body of an answer; null if nothing is. JSON of some length is compressed for clients that accept gzip (RFC 9110,
 * 12.5.3), but no events; what its service has compressed is inflated for others. `headers` are those of the answer, names and values
 * in turn.
 *
 * Answers to requests that may be authenticated by a cookie are never compressed, since another site can have a browser make such
 * requests, and their compressed lengths tell something of what is in them.
 */
export function codingOf(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  endpoint: Answered,
  headers: readonly string[],
): Coding | null {
  if (endpoint.answer !== 'envelope' || endpoint.isLongPoll || request.method === 'HEAD') return null
  if (endpoint.mayBeGzipped && valueOf(headers, 'content-encoding') === 'gzip')
    return mayGetGzip(request, endpoint) ? null : 'gunzip'
  // Most answers are short, and nothing else is asked of them.
  const isLong = Number(valueOf(headers, 'content-length') ?? 0) >= MIN_BYTES
  const isToBeCompressed =
    isLong && valueOf(headers, 'content-encoding') === undefined && mayGetGzip(request, endpoint)
  return isToBeCompressed ? 'gzip' : null
}

/** Whether the service may answer in gzip: that is passed on, or inflated, which `mayInflate` allows. */
export const takesGzip = (
  request: Pick<IncomingMessage, 'headers'>,
  endpoint: Answered,
  mayInflate: boolean,
): boolean => endpoint.mayBeGzipped && (mayInflate || mayGetGzip(request, endpoint))

const mayGetGzip = ({ headers }: Pick<IncomingMessage, 'headers'>, { takesCookies }: Answered): boolean =>
  !takesCookies && acceptsGzip(headers)

/** The headers of an answer after that, from those before. The length of a compressed one isn't known before its end. */
export function codedHeaders(headers: readonly string[], coding: Coding | null): readonly string[] {
  if (coding === null) return headers
  const others = without(
    headers,
    coding === 'gzip' ? ['content-length'] : ['content-length', 'content-encoding'],
  )
  if (coding === 'gzip') return [...others, 'content-encoding', 'gzip', 'vary', 'accept-encoding']
  const length = valueOf(headers, gatewayHeaders.inflatedLength)
  return length === undefined ? others : [...others, 'content-length', length]
}

const without = (headers: readonly string[], names: readonly string[]): string[] =>
  headers.filter((_, i) => !names.includes((headers[i - (i % 2)] as string).toLowerCase()))

function acceptsGzip({ 'accept-encoding': accepted = '' }: IncomingMessage['headers']): boolean {
  const weights = new Map(
    String(accepted)
      .split(',')
      .map((each): [string, number] => {
        const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}
