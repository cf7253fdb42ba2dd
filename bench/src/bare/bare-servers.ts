import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { collectMemory, type Memory } from '../probe/memory.ts'

/** Never answered: the minimum cost of an idle long-poll. */
export const PENDING_PATH = '/pending'
export const HELLO_PATH = '/hello'

/** The simplest possible servers in Node.js; each listens on its own port and returns that port. */
export function createBareServers() {
  return {
    startHello: async (): Promise<number> => listen(hello),
    startExpress: async (): Promise<number> => {
      const app = express()
      app.get(HELLO_PATH, (_request, response) => {
        response.json({ hello: 'world' })
      })
      return listen(app)
    },
    startProxy: async (options: { toPort: number }): Promise<number> => {
      const agent = new Agent({ keepAlive: true })
      return listen((incoming, response) => proxy(agent, options.toPort, incoming, response))
    },
    memory: async (): Promise<Memory> => collectMemory(),
  }
}
export type BareServers = ReturnType<typeof createBareServers>

function hello(incoming: IncomingMessage, response: ServerResponse): void {
  if (incoming.url === PENDING_PATH) return
  const body = '{"hello":"world"}'
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

function proxy(agent: Agent, port: number, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming
  const sent = request({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  sent.once('error', () => response.destroy())
  response.once('close', () => sent.destroy())
  incoming.pipe(sent)
}

function listen(listener: RequestListener): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener)
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
