import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutwardClient } from '@tms/service-kit'
import { expect, test } from 'vitest'
import { createConnectionKeeping } from './kept-connections.ts'

test('keeps a connection to a service that users named while one call follows another', async () => {
  const connections = new Set<object>()
  const server = createServer((request, response) => {
    connections.add(request.socket)
    request.resume().once('end', () => response.writeHead(201).end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const post = createOutwardClient({
    ...{ allowsPrivate: true, tls: {}, timeoutMs: 10_000, maxAnswerBytes: 1_000 },
    keepsConnections: createConnectionKeeping(),
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/device`
  try {
    for (let i = 0; i < 5; i++)
      expect(await post({ url, body: 'x', headers: {} })).toMatchObject({ status: 201 })
    // That of the first call, which may have stayed the only one, and that of all others.
    expect(connections.size).toBe(2)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
