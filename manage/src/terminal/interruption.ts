import { EventEmitter, once } from 'node:events'
import type { Terminal } from './command-action.ts'

/** npm forwards a Ctrl-C that the terminal sent to this process too: a signal within this time is the same key press. */
const ECHO_MS = 1_000

/** Lets a command react to an interruption. */
export interface Interruption {
  /** Aborted by the first interruption. */
  readonly signal: AbortSignal
  /**
   * Delays the exit until the work has ended, successfully or not. A second interruption exits at once and prints
   * `leftover`, which says what remains; null if nothing does.
   */
  readonly finishBeforeExit: (work: Promise<unknown>, leftover: string | null) => void
}

interface UnfinishedWork {
  readonly work: Promise<unknown>
  readonly leftover: string | null
}

export interface InterruptionListener extends Interruption {
  /** Resolves at the first interruption; `interruptedAgain` at a second key press. */
  readonly interrupted: Promise<unknown>
  readonly interruptedAgain: Promise<unknown>
  readonly unfinishedWork: readonly UnfinishedWork[]
  /** Lets further interruptions end the process again, once repeats of the last key press have passed. */
  readonly stop: () => void
}

/** Starts listening for SIGINT and SIGTERM. */
export function listenForInterruption(terminal: Pick<Terminal, 'on' | 'off'>): InterruptionListener {
  const controller = new AbortController()
  const unfinishedWork: UnfinishedWork[] = []
  const presses = new EventEmitter()
  const [first, second] = [once(presses, 'first'), once(presses, 'second')]
  let firstAt: number | null = null
  let lastAt = 0
  const onSignal = (): void => {
    lastAt = Date.now()
    firstAt ??= lastAt
    if (lastAt - firstAt > ECHO_MS) presses.emit('second')
    controller.abort(new Error('interrupted'))
    presses.emit('first')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) terminal.on(signal, onSignal)
  return {
    signal: controller.signal,
    finishBeforeExit: (work, leftover) => unfinishedWork.push({ work, leftover }),
    interrupted: first,
    interruptedAgain: second,
    unfinishedWork,
    stop: () => {
      const leave = (): void => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) terminal.off(signal, onSignal)
      }
      const echoMs = lastAt + ECHO_MS - Date.now()
      if (echoMs > 0) setTimeout(leave, echoMs).unref()
      else leave()
    },
  }
}
