import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './until.ts'

/** A request to an outgoing webhook. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface WebhookAnswer {
  readonly status?: number
  readonly body?: unknown
}

/** Returns the response; `index` is the number of earlier calls. */
export type Answer = (call: ReceivedCall, index: number) => WebhookAnswer | Promise<WebhookAnswer>

/** A server for outgoing webhooks. */
export interface WebhookReceiver {
  readonly url: string
  /** The calls since the last `expect`, in order. */
  readonly calls: readonly ReceivedCall[]
  /** Clears the calls, and responds in this way from now on. */
  answer(answer: Answer): void
  untilCalled(times: number): Promise<void>
  close(): void
}

/** Starts a server with empty responses until `expect` is called. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let answer: Answer = () => ({})
  let calls: ReceivedCall[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    const index = calls.push(call) - 1
    const { status = 200, body } = await answer(call, index)
    response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    get calls() {
      return calls
    },
    answer: (next) => {
      answer = next
      calls = []
    },
    untilCalled: (times) => until(() => Promise.resolve(calls.length >= times)),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
