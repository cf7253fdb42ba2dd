import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { stopLeftover } from '../process/pid-file.ts'
import { findInPath, findVersioned } from './find-binary.ts'
import { loadInstanceSettings, portOf } from './instance-settings.ts'
import { choosePostgresFolder, findPostgresUser } from './postgres-user.ts'
import { startPrivateServer } from './private-server.ts'
import type { ProvideOptions, ServerHandle } from './server.ts'
import { tlsFilesOf } from './tls-files.ts'

/** The first version with multiranges, which messages' read state uses. */
const MIN_VERSION = 14

/** "Fast shutdown": ends sessions and writes a checkpoint. */
const STOP_SIGNAL = 'SIGINT'
const STOP_TIMEOUT_MS = 60_000

/**
 * Settings of a private instance that differ from PostgreSQL's defaults. Durability stays on: confirmed messages have
 * to survive a crash here as in production.
 */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket: its path would have to fit into 107 characters, and nobody uses it.
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '256MB',
  fsync: 'on',
}

/**
 * Settings for disposable data. With wal_level `minimal`, filling a new table isn't written twice. Commits still
 * reach the operating system, which costs little: killing the server loses nothing.
 */
const THROWAWAY_SETTINGS = {
  ...SERVER_SETTINGS,
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** The `postgres` program to use; null if none of a sufficient version is installed. */
export function findPostgres(env: NodeJS.ProcessEnv): string | null {
  const inPath = findInPath(['postgres'], env)
  const candidates = [...(inPath ? [inPath] : []), ...findVersioned('/usr/lib/postgresql', 'bin/postgres')]
  return candidates.find((path) => versionOf(path) >= MIN_VERSION) ?? null
}

function versionOf(binary: string): number {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

/** Starts a private PostgreSQL on `<dataDir>/postgres`, creating the cluster at the first start. */
export async function startPostgres(found: string, options: ProvideOptions): Promise<ServerHandle> {
  const { dataDir, logDir, env } = options
  const pidFile = join(dataDir, 'postgres.pid')
  // First, because a process that a crashed start left behind still uses the stored port.
  await stopLeftover(pidFile, STOP_SIGNAL, STOP_TIMEOUT_MS)
  const settings = await loadInstanceSettings(dataDir, 'postgres', ['main'])
  const user = findPostgresUser()
  const home = choosePostgresFolder(join(dataDir, 'postgres'), user)
  const cluster = join(home, 'cluster')
  const binary = chooseForCluster(found, cluster)
  if (!existsSync(join(cluster, 'PG_VERSION'))) createCluster(binary, home, settings.password, user, env)

  const port = portOf(settings, 'main')
  const serverSettings = options.isThrowaway ? THROWAWAY_SETTINGS : SERVER_SETTINGS
  const tls = options.requiresTls ? copyTlsFiles(home, user, options) : null
  const overrides = Object.entries({ ...serverSettings, ...tls?.settings, port }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ])
  return startPrivateServer({
    name: 'postgres',
    url: `postgres://postgres:${settings.password}@127.0.0.1:${port}/postgres${tls?.query ?? ''}`,
    logPath: join(logDir, 'postgres.log'),
    process: {
      command: binary,
      args: ['-D', cluster, ...overrides],
      env,
      cwd: home,
      user,
      pidFile,
      stopSignal: STOP_SIGNAL,
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    onLaunch: options.onLaunch,
    onUnexpectedExit: options.onUnexpectedExit,
    signal: options.signal,
  })
}

/**
 * Settings that make it accept only TLS, and the query parameters for clients that don't read our variables. The
 * files are copied, because the key must belong to the server's user.
 */
function copyTlsFiles(
  home: string,
  user: { uid: number; gid: number } | undefined,
  { env }: ProvideOptions,
): { settings: Record<string, string>; query: string } {
  const { ca, certificate, key } = tlsFilesOf(env)
  const copy = (name: string, content: string) => {
    const path = join(home, name)
    writeFileSync(path, content, { mode: 0o600 })
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  const settings = {
    ssl: 'on',
    ssl_cert_file: copy('server.crt', readFileSync(certificate, 'utf8')),
    ssl_key_file: copy('server.key', readFileSync(key, 'utf8')),
    hba_file: copy('tls_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\n'),
  }
  return { settings, query: `?sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}` }
}

/** A cluster can be opened only by the major version that created it. */
function chooseForCluster(found: string, cluster: string): string {
  const versionFile = join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile)) return found
  const version = Number(readFileSync(versionFile, 'utf8'))
  if (versionOf(found) === version) return found
  const other = `/usr/lib/postgresql/${version}/bin/postgres`
  if (existsSync(other)) return other
  throw new Error(
    `the data in ${cluster} are PostgreSQL ${version}'s, installed is ${versionOf(found)}: ` +
      `install version ${version}, or remove that folder to start with empty databases`,
  )
}

function createCluster(
  binary: string,
  home: string,
  password: string,
  user: { uid: number; gid: number } | undefined,
  env: NodeJS.ProcessEnv,
): void {
  // Created beside its final name, so that an interrupted initdb leaves nothing that looks complete.
  const unfinished = join(home, `unfinished-${randomBytes(4).toString('hex')}`)
  const passwordFile = `${unfinished}.password`
  mkdirSync(home, { recursive: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) {
    chownSync(home, user.uid, user.gid)
    chownSync(passwordFile, user.uid, user.gid)
  }
  chmodSync(home, 0o700)
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'
  const result = spawnSync(
    join(dirname(binary), 'initdb'),
    [
      '-D',
      unfinished,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      `--locale=${locale}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
    ],
    { cwd: home, env, encoding: 'utf8', ...user },
  )
  rmSync(passwordFile)
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new Error(`initdb failed:\n${result.error?.message ?? result.stdout + result.stderr}`)
  }
  renameSync(unfinished, join(home, 'cluster'))
}
