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

test('an address that is known needs no file', async () => {
  await expect(readAddress({ url: 'http://localhost:1' }, signal)).resolves.toBe('http://localhost:1')
})

test('a file is waited for, and taken once its line is whole', async () => {
  const file = join(folder, 'late')
  const address = readAddress({ file }, signal)
  writeFileSync(file, 'http://localhost:3')
  writeFileSync(file, 'http://localhost:32768\n')
  await expect(address).resolves.toBe('http://localhost:32768')
})

test('what is no address is refused', async () => {
  const file = join(folder, 'wrong')
  writeFileSync(file, 'localhost\n')
  await expect(readAddress({ file }, signal)).rejects.toThrow('has no address in it: localhost')
})

test('the wait ends when everything is to stop', async () => {
  const stopping = new AbortController()
  const address = readAddress({ file: join(folder, 'never') }, stopping.signal)
  stopping.abort(new Error('asked to stop'))
  await expect(address).rejects.toThrow('asked to stop')
})
