import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findInPath } from '@tms/local-system'
import type { TestSystem } from '@tms/test-kit'

const run = promisify(execFile)

/** Whether the programs that operators use for backups are installed. */
export const canBackUp = ['pg_dump', 'pg_restore', 'dropdb', 'createdb'].every(
  (name) => findInPath([name], process.env) !== null,
)

/** A backup of the databases of all services, as operators make it while everything runs. */
export interface DatabaseBackup {
  /** Restores the databases of these services, while no service runs. */
  restore(services: readonly string[]): Promise<void>
  remove(): void
}

/** Makes a backup. */
export async function backUp({ system, servers }: TestSystem): Promise<DatabaseBackup> {
  const folder = mkdtempSync(join(tmpdir(), 'tms-backup-'))
  const databases = Object.entries(system.databaseUrls).map(([service, url]) => ({
    service,
    url,
    file: join(folder, service),
  }))
  await Promise.all(
    databases.map(({ url, file }) => run('pg_dump', ['--format=custom', `--file=${file}`, url])),
  )
  return {
    restore: async (services) => {
      const restored = databases.filter(({ service }) => services.includes(service))
      const administration = ['--maintenance-db', servers.postgres.url]
      await Promise.all(
        restored.map(async ({ url, file }) => {
          await run('dropdb', ['--force', ...administration, nameOf(url)])
          await run('createdb', [...administration, nameOf(url)])
          await run('pg_restore', ['--exit-on-error', `--dbname=${url}`, file])
        }),
      )
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
