import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { removePidFile, sendSignal, stopLeftover, writePidFile } from './pid-file.ts'

export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null }

export type ProcessSpec = {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  user?: { uid: number; gid: number } | undefined
  pidFile: string
  /** A file descriptor for both streams, or a function that receives each line. */
  output: number | ((line: string) => void)
  stopSignal: NodeJS.Signals
  /** After this time a stop becomes a SIGKILL. */
  stopTimeoutMs: number
  /** Called if it ends without having been stopped. */
  onUnexpectedExit?: ((status: ExitStatus) => void) | undefined
}

/** Signals after which a process is expected to end. */
const FATAL_SIGNALS: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT']

/**
 * One operating-system process that can be started again after it ended. It runs in its own process group, so a
 * Ctrl-C in the terminal reaches only us and we decide the order of stopping. A pid file records it, so that a start
 * after our own SIGKILL finds it.
 */
export class ManagedProcess {
  readonly #spec: ProcessSpec
  #child: ChildProcess | null = null
  #ended: Promise<void> = Promise.resolve()
  #isEndExpected = false
  #exited: ExitStatus | null = null

  constructor(spec: ProcessSpec) {
    this.#spec = spec
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** How it last ended; null while it runs and before the first start. */
  get exited(): ExitStatus | null {
    return this.#exited
  }

  /** Starts it, after stopping a leftover of a crashed start. Does not wait for readiness. */
  async start(): Promise<void> {
    if (this.#child) return
    const spec = this.#spec
    await stopLeftover(spec.pidFile, spec.stopSignal, spec.stopTimeoutMs)
    const stream = typeof spec.output === 'number' ? spec.output : 'pipe'
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ['ignore', stream, stream],
      ...spec.user,
    })
    this.#child = child
    this.#isEndExpected = false
    this.#exited = null
    this.#ended = this.#watch(child)
    await once(child, 'spawn') // rejects with the reason when it can't be run
    if (child.pid !== undefined) writePidFile(spec.pidFile, child.pid)
  }

  /** Stops it gracefully, by force after the time limit. Does nothing if it does not run. */
  async stop(): Promise<void> {
    await this.signal(this.#spec.stopSignal)
  }

  /** Sends a signal; after a fatal one waits until the process has ended. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const pid = this.pid
    if (pid === null) return
    if (!FATAL_SIGNALS.includes(signal)) return sendSignal(pid, signal)
    this.#isEndExpected = true
    sendSignal(pid, signal)
    const abort = new AbortController()
    const timeout = sleep(this.#spec.stopTimeoutMs, undefined, { signal: abort.signal }).then(
      () => sendSignal(pid, 'SIGKILL'),
      () => undefined,
    )
    await this.#ended
    abort.abort()
    await timeout
  }

  async #watch(child: ChildProcess): Promise<void> {
    const { output, pidFile, onUnexpectedExit } = this.#spec
    if (typeof output === 'function') {
      for (const stream of [child.stdout, child.stderr]) if (stream) forEachLine(stream, output)
    }
    // 'close' rather than 'exit': its last lines have been read by then.
    await new Promise<void>((resolve) => {
      child.once('error', () => resolve())
      child.once('close', (code, signal) => {
        this.#exited = { code, signal }
        resolve()
      })
    })
    this.#child = null
    removePidFile(pidFile)
    if (this.#exited && !this.#isEndExpected) onUnexpectedExit?.(this.#exited)
  }
}

function forEachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}

/** "exit code 1" or "SIGKILL". */
export function describeExit(status: ExitStatus): string {
  return status.signal ?? `exit code ${status.code}`
}
