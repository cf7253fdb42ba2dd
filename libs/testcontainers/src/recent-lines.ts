import type { Readable } from 'node:stream'

const MAX_LINES = 40

/** The last lines that a container wrote. */
export class RecentLines {
  #rest = ''
  #lines: string[] = []

  listen(stream: Readable): void {
    stream.on('data', (chunk: Buffer | string) => {
      const lines = (this.#rest + chunk.toString()).split('\n')
      this.#rest = lines.pop() ?? ''
      this.#lines = [...this.#lines, ...lines].slice(-MAX_LINES)
    })
  }

  list(): string[] {
    return this.#rest === '' ? this.#lines : [...this.#lines, this.#rest]
  }
}
