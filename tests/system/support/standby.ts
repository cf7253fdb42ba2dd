import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pickFreePort } from '@tms/local-system'
import { createLog, createPool } from '@tms/service-kit'
import { until } from './until.ts'

const run = promisify(execFile)

/** A server that follows another one. */
export interface Standby {
  readonly host: string
  readonly port: number
  /** Promotes it to accept writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Starts a standby of a private instance, with the same user and programs. */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const primary = createPool(primaryUrl, 1, createLog('test', 'silent'))
  const { rows } = await primary.query<{ programs: string; data: string; most: string }>(
    `select setting as programs,
            current_setting('data_directory') as data,
            current_setting('max_connections') as most
       from pg_config where name = 'BINDIR'`,
  )
  await primary.end()
  const [found] = rows
  if (!found) throw new Error('the primary does not report its address')
  const { programs, data, most } = found
  const folder = mkdtempSync(join(tmpdir(), 'tms-standby-'))
  const { uid, gid } = statSync(data)
  chownSync(folder, uid, gid)
  const cluster = join(folder, 'cluster')
  const settings = { cwd: folder, ...(process.getuid?.() === 0 && { uid, gid }) }
  const copying = ['--pgdata', cluster, '--dbname', primaryUrl, '--write-recovery-conf', '--checkpoint=fast']
  await run(join(programs, 'pg_basebackup'), copying, settings)

  const port = await pickFreePort()
  const options = { port, max_connections: most, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', cluster, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...settings, stdio: 'ignore' },
  )
  const url = Object.assign(new URL(primaryUrl), { port: String(port) }).href
  const own = createPool(url, 1, createLog('test', 'silent'))
  await until(() =>
    own.query('select 1').then(
      () => true,
      () => false,
    ),
  )
  return {
    host: '127.0.0.1',
    port,
    promote: async () => {
      await own.query('select pg_promote()')
    },
    stop: async () => {
      await own.end()
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
