import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { reusePort } from '../process/free-port.ts'
import { readJson, writePrivateJson } from '../process/private-file.ts'

/** Settings that must be the same at every start on the same data. */
export type InstanceSettings = {
  /** By purpose; `main` is for clients. */
  ports: Record<string, number>
  password: string
  /** Makes names unique if several instances share a machine (RabbitMQ's node, containers). */
  id: string
}

/**
 * The stored settings of an instance (a server, or a node of a cluster), created at its first start. A stored port
 * that another process took meanwhile is replaced.
 */
export async function loadInstanceSettings(
  dataDir: string,
  name: string,
  purposes: readonly string[],
): Promise<InstanceSettings> {
  const path = settingsPath(dataDir, name)
  const known = readJson(path) as InstanceSettings | null
  const ports: Record<string, number> = {}
  for (const purpose of purposes) ports[purpose] = await reusePort(known?.ports[purpose])
  const settings = {
    ports,
    password: known?.password ?? randomBytes(18).toString('hex'),
    id: known?.id ?? randomBytes(4).toString('hex'),
  }
  writePrivateJson(path, settings)
  return settings
}

/** The settings that an instance was started with. Throws if it was never started. */
export function readInstanceSettings(dataDir: string, name: string): InstanceSettings {
  const settings = readJson(settingsPath(dataDir, name)) as InstanceSettings | null
  if (settings === null) throw new Error(`${name} was never started in ${dataDir}`)
  return settings
}

function settingsPath(dataDir: string, name: string): string {
  return join(dataDir, `${name}.json`)
}

export function portOf(settings: InstanceSettings, purpose: string): number {
  const port = settings.ports[purpose]
  if (port === undefined) throw new Error(`no port for ${purpose}`)
  return port
}
