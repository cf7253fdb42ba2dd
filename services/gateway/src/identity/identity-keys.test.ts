import { Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { IdentityKeys } from './identity-keys.ts'

const LENGTH = 200_000

test('what connections remember of long headers takes no memory', async () => {
  const keys = new IdentityKeys('localhost')
  const requestWith = (credentials: string) => ({
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    ...{ host: 'localhost', connection: {}, clientIp: '10.0.0.1', requestId: 'r' },
  })
  const before = await usedMemory()
  const connections = Array.from({ length: 100 }, (_, i) => {
    const request = requestWith(`${i}@example.com:${'k'.repeat(LENGTH)}`)
    keys.of(request)
    return request.connection
  })

  expect(((await usedMemory()) - before) / connections.length).toBeLessThan(LENGTH / 4)
})

async function usedMemory(): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  return process.memoryUsage().heapUsed
}
