import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAddress } from './read-address.ts'

const { signal } = new AbortController()
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'address-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('an address given directly needs no file', async () => {
  await expect(readAddress({ url: 'http://localhost:1' }, signal)).resolves.toBe('http://localhost:1')
})

test('waits for the file, and reads it once its line is complete', async () => {
  const file = join(folder, 'late')
  const address = readAddress({ file }, signal)
  writeFileSync(file, 'http://localhost:3')
  writeFileSync(file, 'http://localhost:32768\n')
  await expect(address).resolves.toBe('http://localhost:32768')
})

test('rejects an invalid address', async () => {
  const file = join(folder, 'wrong')
  writeFileSync(file, 'localhost\n')
  await expect(readAddress({ file }, signal)).rejects.toThrow('has no valid address: localhost')
})

test('stops waiting on shutdown', async () => {
  const stopping = new AbortController()
  const address = readAddress({ file: join(folder, 'never') }, stopping.signal)
  stopping.abort(new Error('shutting down'))
  await expect(address).rejects.toThrow('shutting down')
})
