import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '@tms/contracts'

/** A shorter answer comes with the first round trip of a connection: ten segments (RFC 6928). */
export const MIN_BYTES = 14_000

/**
 * Whether an answer is compressed: JSON of some length, but no events, to a client that accepts gzip (RFC 9110, 12.5.3). `headers` are
 * those of the answer, names and values in turn.
 *
 * Answers to requests that may be authenticated by a cookie aren't, since another site can have a browser make such requests, and
 * their compressed lengths tell something of what is in them.
 */
export function isToBeCompressed(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  { answer, isLongPoll, takesCookies }: Pick<AnyEndpoint, 'answer' | 'isLongPoll' | 'takesCookies'>,
  headers: readonly string[],
): boolean {
  if (answer !== 'envelope' || isLongPoll || takesCookies || request.method === 'HEAD') return false
  // Most answers are short, and nothing else is asked of them.
  const isLong = Number(valueOf(headers, 'content-length') ?? 0) >= MIN_BYTES
  return isLong && valueOf(headers, 'content-encoding') === undefined && acceptsGzip(request.headers)
}

/** The headers of a compressed answer, from those of the answer itself; its length isn't known before its end. */
export function compressedHeaders(headers: readonly string[]): string[] {
  const kept = headers.filter((_, i) => (headers[i - (i % 2)] as string).toLowerCase() !== 'content-length')
  return [...kept, 'content-encoding', 'gzip', 'vary', 'accept-encoding']
}

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
