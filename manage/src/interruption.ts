import { EventEmitter, once } from 'node:events'
import type { Terminal } from './tools.ts'

/**
 * npm passes a Ctrl-C on that the terminal has sent to us as well, so the same key press can arrive twice; what
 * comes later than this is a second key press.
 */
const ECHO_MS = 1_000

/** What a command that must not be left in the middle needs when it is interrupted. */
export interface Interruption {
  /** Aborted when it is. */
  readonly signal: AbortSignal
  /**
   * Has the program end no sooner than this has, however that is, unless it is interrupted once more: then it says what is
   * left in the middle. Null where nothing is.
   */
  readonly outlast: (work: Promise<unknown>, left: string | null) => void
}

interface Outlasting {
  readonly work: Promise<unknown>
  readonly left: string | null
}

export interface Listening extends Interruption {
  /** Fulfilled when the command is interrupted, and `again` when it is by a second key press. */
  readonly interrupted: Promise<unknown>
  readonly again: Promise<unknown>
  readonly outlasting: readonly Outlasting[]
  /** From now on an interruption ends the process, though not the echo of one that was heard. */
  readonly stop: () => void
}

/** Listens for what interrupts a command, from now on. */
export function listenForInterruption(terminal: Pick<Terminal, 'on' | 'off'>): Listening {
  const controller = new AbortController()
  const outlasting: Outlasting[] = []
  const presses = new EventEmitter()
  const [first, second] = [once(presses, 'first'), once(presses, 'second')]
  let firstAt: number | null = null
  let lastAt = 0
  const listener = (): void => {
    lastAt = Date.now()
    firstAt ??= lastAt
    if (lastAt - firstAt > ECHO_MS) presses.emit('second')
    controller.abort(new Error('interrupted'))
    presses.emit('first')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) terminal.on(signal, listener)
  return {
    signal: controller.signal,
    outlast: (work, left) => outlasting.push({ work, left }),
    interrupted: first,
    again: second,
    outlasting,
    stop: () => {
      const leave = (): void => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) terminal.off(signal, listener)
      }
      const echoMs = lastAt + ECHO_MS - Date.now()
      if (echoMs > 0) setTimeout(leave, echoMs).unref()
      else leave()
    },
  }
}
