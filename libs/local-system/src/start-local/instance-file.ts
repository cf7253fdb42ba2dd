import { rmSync } from 'node:fs'
import type { Owner } from '../first-organization/create-organization.ts'
import { readJson, writePrivateJson } from '../process/private-file.ts'
import type { ServerName } from '../servers/server.ts'
import type { ServiceName } from '../system/service-names.ts'

/** Description of the running system for programs: the content of `.local/instance.json`. */
export type Instance = {
  baseUrl: string
  /** Organizations are at its subdomains. */
  externalHost: string
  /** File with the key that signs calls between services. */
  internalKeyFile: string
  /** Null if none was to be created, or the organization belongs to others. */
  owner: Owner | null
  /** With their passwords. */
  servers: Record<ServerName, string>
  /** Base URLs of every replica. */
  services: Record<ServiceName, string[]>
  /** Where mails go: by default a folder with one file per mail. */
  mailUrl: string
  /** The process that runs it. */
  pid: number
}

/** Writes the file with mode 600. It exists exactly while the system is ready. */
export function writeInstance(path: string, instance: Instance): void {
  writePrivateJson(path, instance)
}

export function findInstance(path: string): Instance | null {
  return readJson(path) as Instance | null
}

export function removeInstance(path: string): void {
  rmSync(path, { force: true })
}
