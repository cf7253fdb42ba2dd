import { createECDH, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createFirstOrganization,
  type Owner,
  provideServers,
  type Servers,
  type ServiceName,
  type System,
  startSystem,
} from '@tms/local-system'
import type { Commands } from '../load/commands.ts'
import { callProbeOf } from '../probe/call-probe.ts'
import type { ProbeCommands } from '../probe/probe.ts'
import { type Child, startChild } from '../processes/child-process.ts'
import type { Progress } from '../report/progress.ts'

export interface BenchSystem {
  readonly servers: Servers
  readonly system: System
  readonly owner: Owner
  /** Two processes that make load. */
  readonly senders: Child<Commands>
  readonly listeners: Child<Commands>
  /** Calls the probe of a service's first replica. */
  callProbe<K extends keyof ProbeCommands>(
    service: ServiceName,
    name: K,
    ...argument: Parameters<ProbeCommands[K]>
  ): Promise<Awaited<ReturnType<ProbeCommands[K]>>>
  /** Calls the probes of all replicas of a service. */
  callProbes<K extends keyof ProbeCommands>(
    service: ServiceName,
    name: K,
    ...argument: Parameters<ProbeCommands[K]>
  ): Promise<Awaited<ReturnType<ProbeCommands[K]>>[]>
  /** Root processes by name, for the CPU accounting. */
  processes(): ReadonlyMap<string, readonly number[]>
  stop(): Promise<void>
}

/** A benchmark must not load servers of others. */
const EXTERNAL_SERVERS = /^(POSTGRES_URL|REDIS_URL|RABBITMQ_URL)$/

const PRELOAD = new URL('../probe/preload.js', import.meta.url).href

/**
 * Starts its own servers and services, and the processes that make load. If the start fails or is aborted, everything that was
 * started is stopped, and its data are removed.
 */
export async function startBenchSystem(options: {
  repoRoot: string
  dataDir: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  progress: Progress
  /** Default: one of each. */
  replicas?: Partial<Record<ServiceName, number>>
}): Promise<BenchSystem> {
  const { repoRoot, dataDir, signal, progress, replicas = {} } = options
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !EXTERNAL_SERVERS.test(name)))
  // The path of a socket has to be short, wherever the checkout is.
  const probeDir = mkdtempSync(join(tmpdir(), 'tms-bench-'))
  const stops: (() => unknown)[] = [
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => rmSync(probeDir, { recursive: true, force: true }),
  ]
  const stop = async () => {
    for (let one = stops.pop(); one; one = stops.pop()) await one()
  }
  try {
    const logDir = join(dataDir, 'logs')
    const servers = await provideServers({ env, dataDir, logDir, signal, onStep: progress.step })
    stops.push(() => servers.stop())
    const system = await startSystem({
      servers,
      repoRoot,
      dataDir,
      logDir,
      env,
      logLevel: 'warn',
      replicas,
      extraEnv: {
        RATE_LIMIT_PER_MINUTE: '0',
        ANONYMOUS_CALLS_PER_MINUTE: '0',
        MAX_CONNECTIONS_PER_ADDRESS: '0',
        MAX_CONNECTIONS: '0',
        NODE_OPTIONS: `--import ${PRELOAD}`,
        BENCH_PROBE_DIR: probeDir,
        ...notificationEnv(),
      },
      onStep: progress.step,
      signal,
      onUnexpectedExit: (replica, how, lastLines) =>
        progress.log([`${replica.service} ended unexpectedly (${how})`, ...lastLines].join('\n')),
    })
    stops.push(() => system.stop())
    const [users, realm] = [system.urls.users[0], system.urls.realm[0]]
    if (users === undefined || realm === undefined) throw new Error('a service has no replica')
    const owner = await createFirstOrganization({
      urls: { gateway: system.baseUrl, users, realm },
      internalPrivateKey: system.keys.internal.privateKey,
      password: randomBytes(16).toString('hex'),
    })
    if (!owner) throw new Error('the first organization has another owner')
    const senders = startChild<Commands>('load/main')
    stops.push(() => senders.stop())
    const listeners = startChild<Commands>('load/main')
    stops.push(() => listeners.stop())
    // Rejects their pending calls, so that all callers end too.
    signal.addEventListener('abort', () => {
      senders.stop()
      listeners.stop()
    })

    const pidsOf = (service: ServiceName) =>
      system.replicas
        .filter((replica) => replica.service === service)
        .map(({ pid }) => {
          if (pid === null) throw new Error(`${service} has ended`)
          return pid
        })
    return {
      servers,
      system,
      owner,
      senders,
      listeners,
      callProbe: (service, name, ...argument) =>
        callProbeOf(probeDir, pidsOf(service)[0] ?? 0, name, ...(argument as never)),
      callProbes: (service, name, ...argument) =>
        Promise.all(pidsOf(service).map((pid) => callProbeOf(probeDir, pid, name, ...(argument as never)))),
      processes: () => {
        const processes = new Map<string, number[]>([['load', [process.pid]]])
        for (const one of [servers.postgres, servers.redis, servers.rabbitmq, ...system.replicas]) {
          const name = 'service' in one ? one.service : one.name
          if (one.pid !== null) processes.set(name, [...(processes.get(name) ?? []), one.pid])
        }
        return processes
      },
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}

/** Pushes to this machine, and no limit of pushes and mails. */
function notificationEnv(): Record<string, string> {
  const pair = createECDH('prime256v1')
  return {
    WEB_PUSH_PUBLIC_KEY: pair.generateKeys('base64url'),
    WEB_PUSH_PRIVATE_KEY: pair.getPrivateKey().toString('base64url').padStart(43, 'A'),
    PUSHES_TO_PRIVATE_ADDRESSES: 'true',
    PUSHES_PER_HOUR: '0',
    MISSED_MESSAGE_MAILS_PER_DAY: '0',
  }
}
