import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A request that came whole, over a request link. */
export class LinkedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer

  constructor(method: string, url: string, headers: readonly string[], body: string) {
    this.method = method
    this.url = url
    const named: Record<string, string> = {}
    for (let at = 0; at < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? ''
    this.headers = named
    this.body = Buffer.from(body)
  }
}

/** A request, however it came. */
export type ApiRequest = IncomingMessage | LinkedRequest

/** The message of HTTP, for endpoints whose requests or answers are streams: gateways send none of these over links. */
export function messageOf(request: ApiRequest): IncomingMessage {
  if (request instanceof LinkedRequest) throw new Error('a request that came over a link has no stream')
  return request
}
