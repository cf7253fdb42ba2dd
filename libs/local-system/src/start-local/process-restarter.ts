import { setTimeout as sleep } from 'node:timers/promises'

/** Pauses before a start after a crash. The last one repeats. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 30_000]

/** After running for so long, a process is started again without a longer pause. */
const STABLE_MS = 60_000

export type Restartable = { start(): Promise<void> }

export type RestarterOptions = {
  print: (line: string) => void
  /** Ends waiting restarts. */
  signal: AbortSignal
}

/** Restarts processes that ended unexpectedly, with increasing pauses, and prints that. */
export class ProcessRestarter {
  readonly #options: RestarterOptions
  readonly #restarting = new Set<Restartable>()
  readonly #crashes = new Map<Restartable, { count: number; at: number }>()

  constructor(options: RestarterOptions) {
    this.#options = options
  }

  /** Call it when the process has ended. Never throws. */
  async restart(name: string, process: Restartable): Promise<void> {
    const { print, signal } = this.#options
    // Also called for a crash in the middle of a restart, which the loop below handles itself.
    if (this.#restarting.has(process)) return
    this.#restarting.add(process)
    try {
      while (!signal.aborted) {
        const pauseMs = this.#nextPause(process)
        print(`${name} will be started again in ${pauseMs / 1000} s`)
        await sleep(pauseMs, undefined, { signal })
        const error = await process.start().then(
          () => null,
          (err: Error) => err,
        )
        if (!error) return print(`${name} is ready again`)
        print(error.message)
      }
    } catch {
      // The wait was cut short because everything stops.
    } finally {
      this.#restarting.delete(process)
    }
  }

  #nextPause(process: Restartable): number {
    const last = this.#crashes.get(process)
    const isFresh = last !== undefined && Date.now() - last.at < STABLE_MS
    const count = isFresh ? last.count + 1 : 0
    this.#crashes.set(process, { count, at: Date.now() })
    return PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? 0
  }
}
