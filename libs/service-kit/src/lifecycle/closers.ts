import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'
import { CLOSE_TIMEOUT_MS } from './shutdown.ts'

/**
 * Opened resources and how to close them: in reverse order, each with a deadline, none skipped because another
 * failed.
 */
export class Closers {
  readonly #log: Logger
  readonly #closers: { name: string; close: () => unknown; timeoutMs: number }[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** Registers `resource` with its closer, which is given up after `timeoutMs`, and returns it. */
  add<T>(name: string, resource: T, close: (resource: T) => unknown, timeoutMs = CLOSE_TIMEOUT_MS): T {
    this.#closers.push({ name, close: () => close(resource), timeoutMs })
    return resource
  }

  /** Closes everything, the last opened first. Never throws. */
  async closeAll(): Promise<void> {
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      try {
        await within(closer.timeoutMs, 'timed out', closer.close())
      } catch (err) {
        this.#log.warn({ err, resource: closer.name }, 'resource did not close cleanly')
      }
    }
  }
}
