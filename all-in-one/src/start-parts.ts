import { join } from 'node:path'
import { launchServers, type Servers, type System, startSystem } from '@tms/local-system'
import type { Places } from './settings.ts'

export type PartsOptions = {
  places: Places
  env: NodeJS.ProcessEnv
  /** What the gateway listens on, for everyone; default: a free one, for this machine. */
  port?: number
  externalHost?: string
  logLevel: string
  /** False: the databases are made. */
  isMigrated: boolean
  onLine: (line: string) => void
  /** Called when a part ends by itself. */
  onEnd: (name: string, how: string, lastLines: string[]) => void
  /** Ends a start that is under way. */
  signal: AbortSignal
}

/** What runs. */
export type Parts = { servers?: Servers; system?: System }

/** Whoever starts the container has a limit of their own, and knows the machine. */
const READY_TIMEOUT_MS = 600_000

/** Variables by which others' servers would be taken instead of our own. */
const OTHERS = ['POSTGRES_URL', 'REDIS_URL', 'RABBITMQ_URL', 'DATABASE_URL']

/** Starts servers and services. What runs is entered in `parts` as soon as it does. Throws with the end of a log. */
export async function startParts(options: PartsOptions, parts: Parts): Promise<System> {
  const { places, onEnd, port, externalHost } = options
  const failing = new AbortController()
  const common = {
    env: Object.fromEntries(Object.entries(options.env).filter(([name]) => !OTHERS.includes(name))),
    dataDir: places.dataDir,
    logDir: join(places.dataDir, 'logs'),
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
    repoRoot: places.root,
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
    // Whichever fails first says why. The other isn't waited for: what it has started ends with the container.
    failing.abort(err)
    throw err
  }
  return system
}
