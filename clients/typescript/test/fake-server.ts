import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly method: string
  /** With the query, which is in `fields` too. */
  readonly url: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly fields: Readonly<Record<string, string>>
  readonly text: string
}

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => unknown

export interface FakeServer {
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** Answers requests from now on. */
  answer: RequestHandler
  readonly close: () => Promise<void>
}

/** Starts a server that answers by `answer` and records its requests. */
export async function startFakeServer(): Promise<FakeServer> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const fields = Object.fromEntries([...searchParams, ...(isForm ? new URLSearchParams(text) : [])])
    const one = { method: request.method ?? '', url: request.url ?? '', path: pathname, fields, text }
    requests.push({ ...one, headers: request.headers })
    await fake.answer({ ...one, headers: request.headers }, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const fake: FakeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (_, response) => succeed(response),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

export function succeed(response: ServerResponse, fields: object = {}): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ result: 'success', msg: '', ...fields }))
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  { headers = {}, ...fields }: { headers?: Record<string, string>; [field: string]: unknown } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ result: 'error', msg: `That is ${code}`, code, ...fields }))
}

/** Answers as a proxy whose server is unavailable. */
export function badGateway(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
}

/** Closes the connection, as a process that dies. */
export function hangUp(response: ServerResponse): void {
  response.socket?.destroy()
}
