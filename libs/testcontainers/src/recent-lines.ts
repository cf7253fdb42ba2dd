import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const MAX_LINES = 40
/** Docker may deliver the end of a container's output late. */
const END_TIMEOUT_MS = 2_000

/** The last lines of a container's output. */
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

  /** The last lines of a container that has ended, once all of its output has arrived. */
  async untilEnd(): Promise<string[]> {
    await Promise.race([this.#ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })])
    return this.#rest === '' ? this.#lines : [...this.#lines, this.#rest]
  }
}
