import { join } from 'node:path'
import { launchServers, type Servers, type System, startSystem } from '@tms/local-system'
import type { Paths } from './settings.ts'

export type PartsOptions = {
  paths: Paths
  env: NodeJS.ProcessEnv
  /** Port of the gateway, on all interfaces; default: a free port on localhost only. */
  port?: number
  externalHost?: string
  logLevel: string
  /** False to migrate the databases first. */
  isMigrated: boolean
  onLine: (line: string) => void
  /** Called when a part ends unexpectedly. */
  onEnd: (name: string, how: string, lastLines: string[]) => void
  /** Aborts the start. */
  signal: AbortSignal
}

/** The running servers and services. */
export type Parts = { servers?: Servers; system?: System }

/** Long: the program that starts the container has its own limit, which fits the machine. */
const READY_TIMEOUT_MS = 600_000

/** Variables that would make the system use servers outside the container. */
const SERVER_URL_VARIABLES = ['POSTGRES_URL', 'REDIS_URL', 'RABBITMQ_URL', 'DATABASE_URL']

/** Starts servers and services, and adds each to `parts` once it runs. Throws with the end of the failed part's log. */
export async function startParts(options: PartsOptions, parts: Parts): Promise<System> {
  const { paths, onEnd, port, externalHost } = options
  const failing = new AbortController()
  const common = {
    env: Object.fromEntries(
      Object.entries(options.env).filter(([name]) => !SERVER_URL_VARIABLES.includes(name)),
    ),
    dataDir: paths.dataDir,
    logDir: join(paths.dataDir, 'logs'),
    signal: AbortSignal.any([options.signal, failing.signal]),
  }
  const { urls, servers } = await launchServers({
    ...common,
    isThrowaway: true,
    mayInstall: false,
    mayUseDocker: false,
    onUnexpectedExit: onEnd,
  })
  const system = startSystem({
    ...common,
    servers: urls,
    repoRoot: paths.root,
    isMigrated: options.isMigrated,
    logLevel: options.logLevel,
    readyTimeoutMs: READY_TIMEOUT_MS,
    ...(port !== undefined && { gatewayPort: port, gatewayHost: '0.0.0.0' }),
    ...(externalHost !== undefined && { externalHost }),
    onLine: (_name, line) => options.onLine(line),
    onUnexpectedExit: ({ service }, how, lastLines) => onEnd(service, how, lastLines),
  })
  try {
    await Promise.all([
      servers.then((started) => (parts.servers = started)),
      system.then((started) => (parts.system = started)),
    ])
  } catch (err) {
    // Throws the first failure without waiting for the other part, whose processes end with the container.
    failing.abort(err)
    throw err
  }
  return system
}
