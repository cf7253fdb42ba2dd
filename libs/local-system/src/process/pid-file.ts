import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findProcessIdentity } from './process-identity.ts'
import { waitUntil } from './wait-until.ts'

type Entry = { pid: number; identity: string }

/** Records a running process, so that a later start can find it if we could not stop it. */
export function writePidFile(path: string, pid: number): void {
  const identity = findProcessIdentity(pid)
  if (identity === null) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ pid, identity } satisfies Entry), { mode: 0o600 })
}

/** The pid in the file if that very process still runs; otherwise null. */
export function findLivePid(path: string): number | null {
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8')) as Entry
    return findProcessIdentity(entry.pid) === entry.identity ? entry.pid : null
  } catch {
    return null
  }
}

export function removePidFile(path: string): void {
  rmSync(path, { force: true })
}

/**
 * Stops the process that a crashed start left behind, if there is one: first with the signal, then by force. Returns
 * whether there was one.
 */
export async function stopLeftover(
  path: string,
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<boolean> {
  const pid = findLivePid(path)
  if (pid === null) return false
  const hasEnded = () => findLivePid(path) === null
  sendSignal(pid, signal)
  await waitUntil(hasEnded, { what: `process ${pid} to end`, timeoutMs }).catch(() =>
    sendSignal(pid, 'SIGKILL'),
  )
  await waitUntil(hasEnded, { what: `killed process ${pid} to end`, timeoutMs: 10_000 })
  removePidFile(path)
  return true
}

/** Sends a signal; a process that has ended already is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err
  }
}
