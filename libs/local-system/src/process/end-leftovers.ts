import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from './pid-file.ts'

const STOP_TIMEOUT_MS = 10_000

/** Kills every process with a pid file below a folder whose data are to be removed. Returns how many there were. */
export async function endLeftovers(folder: string): Promise<number> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.pid'),
  )
  const ended = await Promise.all(
    names.map((name) => stopLeftover(join(folder, name), 'SIGKILL', STOP_TIMEOUT_MS)),
  )
  return ended.filter((wasRunning) => wasRunning).length
}
