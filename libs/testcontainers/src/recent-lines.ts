import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const MAX_LINES = 40
/** Docker may hold back the end of what a container said, though not for long. */
const END_TIMEOUT_MS = 2_000

/** The last lines that a container wrote. */
export class RecentLines {
  #rest = ''
  #lines: string[] = []
  #ended: Promise<void> = Promise.resolve()

  listen(stream: Readable): void {
    stream.on('data', (chunk: Buffer | string) => {
      const lines = (this.#rest + chunk.toString()).split('\n')
      this.#rest = lines.pop() ?? ''
      this.#lines = [...this.#lines, ...lines].slice(-MAX_LINES)
    })
    this.#ended = new Promise((resolve) => {
      stream.once('end', resolve).once('close', resolve).once('error', resolve)
    })
  }

  /** What was said last by a container that has ended, once all of it is here. */
  async untilEnd(): Promise<string[]> {
    await Promise.race([this.#ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })])
    return this.#rest === '' ? this.#lines : [...this.#lines, this.#rest]
  }
}
