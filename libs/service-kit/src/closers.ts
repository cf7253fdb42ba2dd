import type { Logger } from './log.ts'
import { within } from './within.ts'

/** A closer that hangs is given up after this: too small loses in-flight work, too large outlives the grace period. */
const CLOSE_TIMEOUT_MS = 10_000

/** What was opened, and how to close it: in reverse order, each with a deadline, none skipped because another failed. */
export class Closers {
  readonly #log: Logger
  readonly #closers: { name: string; close: () => unknown }[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** Registers `resource` with its closer and returns it. */
  add<T>(name: string, resource: T, close: (resource: T) => unknown): T {
    this.#closers.push({ name, close: () => close(resource) })
    return resource
  }

  /** Closes everything, the last opened first. Never throws. */
  async closeAll(): Promise<void> {
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      try {
        await within(CLOSE_TIMEOUT_MS, 'timed out', closer.close())
      } catch (err) {
        this.#log.warn({ err, resource: closer.name }, 'resource did not close cleanly')
      }
    }
  }
}
