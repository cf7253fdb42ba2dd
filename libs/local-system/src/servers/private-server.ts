import { setTimeout as sleep } from 'node:timers/promises'
import { openLog, readLastLines } from '../process/log-file.ts'
import {
  describeExit,
  type ExitStatus,
  ManagedProcess,
  type ProcessSpec,
} from '../process/managed-process.ts'
import { waitUntil } from '../process/wait-until.ts'
import { probes } from './probes.ts'
import { type ServerName, type ServerNode, serverTitles } from './server.ts'
import { tlsOf } from './tls-files.ts'

/** RabbitMQ recovering many queues on a slow disk is the slowest case. */
const READY_TIMEOUT_MS = 120_000

/**
 * A start right after a SIGKILL can fail while the last orphans of the killed process end (PostgreSQL refuses as long
 * as one of its backends is left), so early exits are tried again for a while.
 */
const START_ATTEMPTS = 20
const ATTEMPT_PAUSE_MS = 500

export type PrivateServerSpec = {
  name: ServerName
  url: string
  logPath: string
  /** How to run it; its output goes to `logPath`. */
  process: Omit<ProcessSpec, 'output' | 'onUnexpectedExit'>
  /** A process that it needs (RabbitMQ's epmd): started before it, stopped after it. */
  sidecar?: Omit<ProcessSpec, 'output' | 'onUnexpectedExit'>
  onLaunch?: ((name: ServerName, url: string) => void) | undefined
  onUnexpectedExit?: ((name: ServerName, how: string, lastLines: string[]) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Starts a private instance and waits until it answers. Throws with the end of its log if it doesn't. */
export async function startPrivateServer(spec: PrivateServerSpec): Promise<ServerNode> {
  const { name, url, logPath } = spec
  const title = serverTitles[name]
  const tls = tlsOf(spec.process.env)
  const output = openLog(logPath)
  const failed = (reason: string) =>
    new Error([`${title} did not start: ${reason}`, ...readLastLines(logPath, 20), `(${logPath})`].join('\n'))

  const reportExit = (status: ExitStatus) =>
    spec.onUnexpectedExit?.(name, describeExit(status), readLastLines(logPath, 20))
  let isStarting = false
  const server = new ManagedProcess({
    ...spec.process,
    output,
    onUnexpectedExit: (status) => !isStarting && reportExit(status),
  })
  const sidecar = spec.sidecar && new ManagedProcess({ ...spec.sidecar, output })

  async function attempt(): Promise<boolean> {
    await server.start()
    spec.onLaunch?.(name, url)
    let reason: string | null = 'not asked yet'
    await waitUntil(async () => server.pid === null || (reason = await probes[name](url, tls)) === null, {
      what: `${title} to answer`,
      timeoutMs: READY_TIMEOUT_MS,
      signal: spec.signal,
    }).catch((err: Error) => {
      throw failed(`${err.message} (${reason})`)
    })
    return server.pid !== null && reason === null
  }

  async function start(): Promise<void> {
    isStarting = true
    try {
      await sidecar?.start()
      for (let count = 1; !(await attempt()); count++) {
        spec.signal?.throwIfAborted()
        if (count === START_ATTEMPTS) throw failed(server.exited ? describeExit(server.exited) : 'it ended')
        await sleep(ATTEMPT_PAUSE_MS)
      }
    } finally {
      isStarting = false
    }
  }

  async function stop(): Promise<void> {
    await server.stop()
    await sidecar?.stop()
  }

  try {
    await start()
  } catch (err) {
    await stop()
    throw err
  }
  return {
    url,
    get pid() {
      return server.pid
    },
    start,
    stop,
    kill: () => server.signal('SIGKILL'),
  }
}
