import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** What an answer in one piece is written to: a response of HTTP, or an answer over a request link. */
export interface AnswerTarget {
  readonly headersSent: boolean
  /** Nobody gets the rest, or all of it was sent. */
  readonly destroyed: boolean
  readonly statusCode: number
  setHeader(name: string, value: number | string | readonly string[]): unknown
  writeHead(
    status: number,
    headers: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): { end(body?: string): unknown }
  /** Breaks the answer off. */
  destroy(): unknown
  /** Calls the listener when the answer was sent, or nobody gets it any more. */
  on(event: 'close', listener: () => void): unknown
  once(event: 'close', listener: () => void): unknown
}

/** The response of HTTP, for answers that are streams: gateways ask for none of these over links. */
export function responseOf(target: AnswerTarget): ServerResponse {
  if (target instanceof ServerResponse) return target
  throw new Error('an answer over a link is no stream')
}
