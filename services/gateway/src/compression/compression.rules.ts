import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '@tms/contracts'

/** A shorter answer comes with the first round trip of a connection: ten segments (RFC 6928). */
export const MIN_BYTES = 14_000

/** What is done to the body of an answer: it is compressed, or inflated. */
export type Coding = 'gzip' | 'gunzip'

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
  { answer, isLongPoll, takesCookies }: Pick<AnyEndpoint, 'answer' | 'isLongPoll' | 'takesCookies'>,
  headers: readonly string[],
): Coding | null {
  if (answer !== 'envelope' || isLongPoll || request.method === 'HEAD') return null
  const length = valueOf(headers, 'content-length')
  // Most answers are short, and nothing else is asked of them. What a service has compressed has no length.
  if (length !== undefined && !(Number(length) >= MIN_BYTES)) return null
  const encoding = valueOf(headers, 'content-encoding')
  const accepts = !takesCookies && acceptsGzip(request.headers)
  if (encoding === 'gzip') return accepts ? null : 'gunzip'
  return accepts && length !== undefined && encoding === undefined ? 'gzip' : null
}

/** The headers of an answer after that, from those before; its length isn't known before its end. */
export function codedHeaders(headers: readonly string[], coding: Coding | null): readonly string[] {
  if (coding === null) return headers
  if (coding === 'gunzip') return without(headers, 'content-encoding')
  return [...without(headers, 'content-length'), 'content-encoding', 'gzip', 'vary', 'accept-encoding']
}

const without = (headers: readonly string[], name: string): string[] =>
  headers.filter((_, i) => (headers[i - (i % 2)] as string).toLowerCase() !== name)

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
