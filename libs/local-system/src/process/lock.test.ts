import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LockHeldError, takeLock } from './lock.ts'
import { findLivePid, stopLeftover, writePidFile } from './pid-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a lock', () => {
  test('is held until it is released', () => {
    const path = join(folder, 'lock')
    const unlock = takeLock(path)
    expect(() => takeLock(path)).toThrow(LockHeldError)
    unlock()
    takeLock(path)()
  })

  test('of a dead process is taken over', async () => {
    const path = join(folder, 'lock')
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    writePidFile(path, child.pid ?? 0)
    expect(() => takeLock(path)).toThrow(LockHeldError)
    child.kill()
    await once(child, 'close')
    takeLock(path)()
  })
})

describe('a process that a crashed start left behind', () => {
  test('is found and stopped', async () => {
    const path = join(folder, 'pid')
    const child = spawn('sleep', ['60'])
    const closed = once(child, 'close')
    await once(child, 'spawn')
    writePidFile(path, child.pid ?? 0)
    expect(await stopLeftover(path, 'SIGTERM', 5_000)).toBe(true)
    await closed
    expect(await stopLeftover(path, 'SIGTERM', 5_000)).toBe(false)
  })

  test('is not confused with another process that has its pid now', () => {
    const path = join(folder, 'pid')
    writePidFile(path, process.pid)
    expect(findLivePid(path)).toBe(process.pid)
    expect(findLivePid(join(folder, 'none'))).toBeNull()
  })
})
