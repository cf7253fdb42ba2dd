import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from '../process/pid-file.ts'
import { writePrivateFile } from '../process/private-file.ts'
import { findInPath } from './find-binary.ts'
import { loadInstanceSettings, portOf } from './instance-settings.ts'
import { startPrivateServer } from './private-server.ts'
import type { ProvideOptions, ServerHandle, ServerNode } from './server.ts'
import { tlsFilesOf } from './tls-files.ts'

const STOP_TIMEOUT_MS = 30_000

/** The program to use; null if none is installed. Valkey is a fork of Redis. */
export function findRedis(env: NodeJS.ProcessEnv): string | null {
  return findInPath(['redis-server', 'valkey-server'], env)
}

/** Starts a private Redis on `<dataDir>/redis`: append-only file, synced every second unless the data are disposable. */
export function startRedis(binary: string, options: ProvideOptions): Promise<ServerHandle> {
  return startRedisNode(binary, options, { instance: 'redis' })
}

/** How a node of a cluster differs from a single Redis. */
export type RedisNode = {
  /** Names its settings, data and log. */
  instance: string
  /** Default: its own. */
  password?: string
  /** Further ports, by purpose, with their configuration directives. */
  morePorts?: Record<string, string>
  configuration?: string[]
}

/** Starts one private Redis, with its data in `<dataDir>/<instance>`. */
export async function startRedisNode(
  binary: string,
  options: ProvideOptions,
  { instance, password: sharedPassword, morePorts = {}, configuration = [] }: RedisNode,
): Promise<ServerNode> {
  const { dataDir, logDir, env } = options
  const pidFile = join(dataDir, `${instance}.pid`)
  // First, because a process that a crashed start left behind still uses the stored port.
  await stopLeftover(pidFile, 'SIGTERM', STOP_TIMEOUT_MS)
  const settings = await loadInstanceSettings(dataDir, instance, ['main', ...Object.keys(morePorts)])
  const port = portOf(settings, 'main')
  const password = sharedPassword ?? settings.password
  const home = join(dataDir, instance)
  const configPath = join(dataDir, `${instance}.conf`)
  mkdirSync(home, { recursive: true })
  // A file rather than arguments, which every user of the machine can read, with the password.
  writePrivateFile(
    configPath,
    [
      'bind 127.0.0.1',
      ...(options.requiresTls ? tlsConfiguration(port, options) : [`port ${port}`]),
      `requirepass ${password}`,
      'daemonize no',
      `dir "${home}"`,
      'appendonly yes',
      `appendfsync ${options.isThrowaway ? 'no' : 'everysec'}`,
      'save ""',
      ...Object.entries(morePorts).map(([purpose, directive]) => `${directive} ${portOf(settings, purpose)}`),
      ...configuration,
      '',
    ].join('\n'),
  )
  return startPrivateServer({
    name: 'redis',
    url: `${options.requiresTls ? 'rediss' : 'redis'}://:${password}@127.0.0.1:${port}/0`,
    logPath: join(logDir, `${instance}.log`),
    process: {
      command: binary,
      args: [configPath],
      env,
      cwd: home,
      pidFile,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    onLaunch: options.onLaunch,
    onUnexpectedExit: options.onUnexpectedExit,
    signal: options.signal,
  })
}

/** Clients, and the other nodes of a cluster, have to present a certificate. */
function tlsConfiguration(port: number, { env }: ProvideOptions): string[] {
  const { ca, certificate, key } = tlsFilesOf(env)
  return [
    'port 0',
    `tls-port ${port}`,
    `tls-ca-cert-file "${ca}"`,
    `tls-cert-file "${certificate}"`,
    `tls-key-file "${key}"`,
    'tls-auth-clients yes',
    'tls-replication yes',
    'tls-cluster yes',
  ]
}
