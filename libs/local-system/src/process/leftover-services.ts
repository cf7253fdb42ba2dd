import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from './pid-file.ts'

const STOP_TIMEOUT_MS = 10_000

/**
 * Stops the services that a crashed start left running, including replicas that the coming start won't have; of one
 * namespace, or of all. Returns how many there were.
 */
export async function stopLeftoverServices(dataDir: string, namespace?: string): Promise<number> {
  const folder = servicePidFolder(dataDir)
  const isWanted = (name: string) => {
    if (namespace === undefined) return true
    // Names of services have no dot, so the part before one is a namespace.
    return namespace === '' ? name.indexOf('.') === name.lastIndexOf('.') : name.startsWith(`${namespace}.`)
  }
  const names = listFiles(folder).filter((name) => name.endsWith('.pid') && isWanted(name))
  const found = await Promise.all(
    names.map((name) => stopLeftover(join(folder, name), 'SIGTERM', STOP_TIMEOUT_MS)),
  )
  return found.filter((wasRunning) => wasRunning).length
}

/** The folder of the services' pid files. */
export function servicePidFolder(dataDir: string): string {
  return join(dataDir, 'services')
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
