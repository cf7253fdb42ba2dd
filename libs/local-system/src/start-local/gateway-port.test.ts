import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pickFreePort } from '../process/free-port.ts'
import { chooseGatewayPort } from './gateway-port.ts'

let folder: string
let memoryPath: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tms-port-'))
  memoryPath = join(folder, 'port.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a start without a requested port reuses the last port', async () => {
  const port = await pickFreePort()
  expect(await chooseGatewayPort(port, memoryPath)).toBe(port)

  expect(await chooseGatewayPort(undefined, memoryPath)).toBe(port)
})

test('a requested port that is in use is refused and not recorded', async () => {
  const free = await pickFreePort()
  await chooseGatewayPort(free, memoryPath)
  const taken = await pickFreePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve))

  await expect(chooseGatewayPort(taken, memoryPath)).rejects.toThrow(`port ${taken} is taken`)
  server.close()
  expect(await chooseGatewayPort(undefined, memoryPath)).toBe(free)
})
