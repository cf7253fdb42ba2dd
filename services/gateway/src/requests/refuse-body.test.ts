import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { endRestOf } from './refuse-body.ts'

test('leaves no listeners on a connection whose requests are answered before their bodies arrive', async () => {
  const listeners: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    sockets.add(incoming.socket)
    listeners.push(incoming.socket.listenerCount('close'))
    response.writeHead(401).end()
    endRestOf(incoming)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  for (let i = 0; i < 12; i++) {
    const asking = request({ agent, port, host: '127.0.0.1', method: 'POST' })
    asking.end('content='.padEnd(100_000, 'x'))
    const [answer] = await once(asking, 'response')
    await once(answer.resume(), 'end')
  }

  expect(sockets.size).toBe(1)
  expect(Math.max(...listeners)).toBe(listeners[0])
  agent.destroy()
  server.close()
})
