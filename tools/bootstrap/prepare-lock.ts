import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Only one process at a time may install or build; the others wait, and then find everything up to date. Returns the function
 * that releases the lock.
 */
export async function acquireLock(path: string, status: (text: string) => void): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true })
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (err) {
      if (codeOf(err) !== 'EEXIST') throw err
    }
    if (!isLockHeld(path)) {
      rmSync(path, { force: true })
      continue
    }
    status(`waiting for another build in this checkout (see ${path})`)
    await sleep(200)
  }
}

function isLockHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // An empty file is being written right now, unless its writer died at that moment.
    if (pid === 0) return Date.now() - statSync(path).mtimeMs < 5_000
    process.kill(pid, 0)
    return true
  } catch (err) {
    return codeOf(err) === 'EPERM'
  }
}

const codeOf = (err: unknown) => (err instanceof Error && 'code' in err ? err.code : null)
