import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type DatabaseService, databaseServices } from './service-names.ts'

export type MigrationOptions = {
  repoRoot: string
  databaseUrls: Record<DatabaseService, string>
  env: NodeJS.ProcessEnv
}

/** Runs the migrations of all services concurrently. Throws with the output of the first that failed. */
export async function runMigrations(options: MigrationOptions): Promise<void> {
  await Promise.all(databaseServices.map((service) => migrate(service, options)))
}

async function migrate(service: DatabaseService, options: MigrationOptions): Promise<void> {
  const folder = join(options.repoRoot, 'services', service)
  const child = spawn(process.execPath, [join(folder, 'dist', 'migrate.js')], {
    cwd: folder,
    env: { ...options.env, DATABASE_URL: options.databaseUrls[service] },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not interrupted half-way by a Ctrl-C in the terminal.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (code === 0) return
  const lastLines = output.trimEnd().split('\n').slice(-20).join('\n')
  throw new Error(`the migrations of ${service} failed (${signal ?? `exit code ${code}`}):\n${lastLines}`)
}
