import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { endLeftovers } from './end-leftovers.ts'
import { writePidFile } from './pid-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tms-leftovers-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('ends only the processes that are recorded in a folder and its subfolders', async () => {
  const children = [0, 1, 2].map(() => spawn('sleep', ['60']))
  const [near, deep, other] = children
  mkdirSync(join(folder, 'a', 'b'), { recursive: true })
  writePidFile(join(folder, 'near.pid'), near?.pid ?? 0)
  writePidFile(join(folder, 'a', 'b', 'deep.pid'), deep?.pid ?? 0)
  writeFileSync(join(folder, 'broken.pid'), 'no process')
  const ended = Promise.all([near, deep].map((child) => child && once(child, 'exit')))

  expect(await endLeftovers(folder)).toBe(2)

  await ended
  expect(other?.exitCode ?? other?.signalCode).toBeNull()
  other?.kill()
})
