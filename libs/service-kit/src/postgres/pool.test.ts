import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { createPool } from './pool.ts'

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const AUTHENTICATED = message('R', Buffer.alloc(4))
const READY = message('Z', Buffer.from('I'))
const SHUT_DOWN = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))

test('a connection that the server closes at once fails a query, not the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUT_DOWN])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = createPool(`postgres://u@127.0.0.1:${port}/x`, 1, createLog('test', 'silent'))

  await expect(pool.query('select 1')).rejects.toThrow()

  await pool.end()
  server.close()
})
