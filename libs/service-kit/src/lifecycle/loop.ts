import type { Logger } from '../telemetry/log.ts'

/** A background loop that can be woken early and stopped. */
export interface Loop {
  /** Starts the next round now, or right after the current one. */
  wake(): void
  /** Ends the loop after the current round. */
  stop(): Promise<void>
}

interface LoopOptions {
  readonly name: string
  readonly log: Logger
  /** Does one round and returns how many milliseconds to wait for the next; 0 continues at once. */
  readonly round: (signal: AbortSignal) => Promise<number>
  /** Pause after a failed round: too small floods the log while a server is down, too large delays recovery. */
  readonly retryMs?: number
}

/**
 * Failures in a row before a warning. A first failure is often just a peer that is starting too. Until a round has
 * succeeded once, everything may be starting, which takes ten seconds if many processes do at once.
 */
const WARN_AFTER = { everythingStarts: 20, itWorked: 3 } as const

/**
 * Runs `round` again and again until stopped. A round that throws is logged and tried again after `retryMs`; a wake
 * during a round is not lost.
 */
export function startLoop({ name, log, round, retryMs = 500 }: LoopOptions): Loop {
  const controller = new AbortController()
  let isWoken = false
  let cutShort: (() => void) | undefined
  let failures = 0
  let warnAfter: number = WARN_AFTER.everythingStarts

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      cutShort = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async () => {
    while (!controller.signal.aborted) {
      isWoken = false
      let waitMs: number
      try {
        waitMs = await round(controller.signal)
        if (failures >= warnAfter) log.info({ loop: name }, 'loop works again')
        failures = 0
        warnAfter = WARN_AFTER.itWorked
      } catch (err) {
        failures++
        // One line, once the failure lasts: repeating it says nothing new.
        if (failures === warnAfter) log.warn({ err, loop: name }, 'loop keeps failing, will be retried')
        else log.debug({ err, loop: name }, 'loop failed, will be retried')
        waitMs = retryMs
      }
      if (isWoken && failures === 0) continue
      if (waitMs > 0 && !controller.signal.aborted) await pause(waitMs)
      cutShort = undefined
    }
  }
  const finished = run()

  return {
    wake: () => {
      isWoken = true
      if (failures === 0) cutShort?.()
    },
    stop: async () => {
      controller.abort()
      cutShort?.()
      await finished
    },
  }
}
