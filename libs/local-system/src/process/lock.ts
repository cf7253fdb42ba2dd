import { linkSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { findLivePid, writePidFile } from './pid-file.ts'

/** Another process, `pid`, holds the lock. */
export class LockHeldError extends Error {
  readonly pid: number

  constructor(path: string, pid: number) {
    super(`${path} is in use by the running process ${pid}`)
    this.pid = pid
  }
}

/**
 * Takes a lock for the lifetime of this process, and returns the function that releases it. A lock whose holder died
 * is taken over. Throws LockHeldError at once if it is held; never waits.
 */
export function takeLock(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true })
  const ticket = `${path}.${process.pid}`
  writePidFile(ticket, process.pid)
  try {
    for (let attempt = 0; ; attempt++) {
      if (tryLink(ticket, path)) return () => rmSync(path, { force: true })
      const pid = findLivePid(path)
      if (pid !== null || attempt === 3) throw new LockHeldError(path, pid ?? 0)
      rmSync(path, { force: true })
    }
  } finally {
    rmSync(ticket, { force: true })
  }
}

/** A hard link appears whole or not at all, so nobody ever reads a half-written lock. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
    return false
  }
}
