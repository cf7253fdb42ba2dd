import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../process/log-file.ts'
import { type ExitStatus, ManagedProcess } from '../process/managed-process.ts'
import { tlsOf } from '../servers/tls-files.ts'
import { waitUntilReady } from './health.ts'
import { RecentLines } from './recent-lines.ts'
import type { ServiceName } from './service-names.ts'

/** How long a service may take to drain; longer than its own limit, after which it ends itself. */
const STOP_TIMEOUT_MS = 50_000

/** One process of a service. It keeps its port over `kill`, `stop` and `start`. */
export type Replica = {
  readonly service: ServiceName
  /** Counts from 0. */
  readonly index: number
  readonly url: string
  readonly pid: number | null
  /** How it last ended; null while it runs. */
  readonly exited: ExitStatus | null
  /** Sends a signal; after a fatal one, waits until it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Starts it and waits until it is ready. `variables` permanently replace those of its environment. */
  start(variables?: NodeJS.ProcessEnv): Promise<void>
  /** Its last lines, at most 2,000, from all of its starts. */
  logs(): string[]
}

export type ReplicaSpec = {
  service: ServiceName
  index: number
  port: number
  repoRoot: string
  env: NodeJS.ProcessEnv
  pidFile: string
  logPath: string
  onLine?: ((line: string) => void) | undefined
  onUnexpectedExit?: ((status: ExitStatus) => void) | undefined
  /** How long a start may take; default: a minute. */
  readyTimeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** Prepares a replica; nothing runs before `start`. */
export function createReplica(spec: ReplicaSpec): Replica {
  const { service, index } = spec
  const folder = join(spec.repoRoot, 'services', service)
  const tls = spec.env['SERVE_TLS'] === 'true' ? tlsOf(spec.env) : undefined
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${spec.port}`
  const recent = new RecentLines()
  const env = {
    // Compiled code is cached there, which saves 3 to 30 % of loading time.
    NODE_COMPILE_CACHE: join(spec.repoRoot, '.local', 'compile-cache'),
    // As images set it.
    MALLOC_ARENA_MAX: '2',
    ...spec.env,
  }
  let logFile: WriteStream | null = null

  const child = new ManagedProcess({
    command: process.execPath,
    args: [join(folder, 'dist', 'main.js')],
    env,
    cwd: folder,
    pidFile: spec.pidFile,
    output: (line) => {
      recent.add(line)
      logFile?.write(`${line}\n`)
      spec.onLine?.(line)
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    onUnexpectedExit: spec.onUnexpectedExit,
  })

  return {
    service,
    index,
    url,
    get pid() {
      return child.pid
    },
    get exited() {
      return child.exited
    },
    kill: (signal = 'SIGKILL') => child.signal(signal),
    async stop() {
      await child.stop()
      logFile?.end()
      logFile = null
    },
    async start(variables = {}) {
      Object.assign(env, variables)
      logFile ??= createWriteStream(spec.logPath, { fd: openLog(spec.logPath) })
      await child.start()
      await waitUntilReady(replicaName(service, index), url, {
        isAlive: () => child.pid !== null,
        lastLines: () => recent.list(20),
        timeoutMs: spec.readyTimeoutMs,
        tls,
        signal: spec.signal,
      })
    },
    logs: () => recent.list(),
  }
}

/** "events" for the first, "events-2" for the second. */
export function replicaName(service: ServiceName, index: number): string {
  return index === 0 ? service : `${service}-${index + 1}`
}
