import { type Colors, createColors } from './colors.ts'

/**
 * Writes lines and, on a terminal, one line below them with the steps in progress. Elsewhere (a file, a CI log) only
 * whole lines are written.
 */
export class Terminal {
  readonly colors: Colors
  readonly #out: NodeJS.WriteStream
  readonly #isLive: boolean
  readonly #running = new Set<string>()
  #isShown = false

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out
    this.#isLive = out.isTTY === true && env['TERM'] !== 'dumb'
    this.colors = createColors(this.#isLive && !env['NO_COLOR'])
  }

  print(text: string): void {
    this.#clear()
    this.#out.write(`${text}\n`)
    this.#showRunning()
  }

  /** Shows a step as in progress; the returned function prints it as done, with the seconds it took. */
  readonly step = (text: string): ((doneText?: string) => void) => {
    const startedAt = Date.now()
    this.#clear()
    this.#running.add(text)
    this.#showRunning()
    return (doneText = text) => {
      this.#running.delete(text)
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      this.print(`${this.colors.green('✓')} ${doneText} ${this.colors.dim(`(${seconds} s)`)}`)
    }
  }

  /** Drops unfinished steps, after a failure. */
  dropSteps(): void {
    this.#clear()
    this.#running.clear()
  }

  #clear(): void {
    if (this.#isShown) this.#out.write('\r\x1b[K')
    this.#isShown = false
  }

  #showRunning(): void {
    if (!this.#isLive || this.#running.size === 0) return
    const text = `… ${[...this.#running].join(', ')}`
    // A longer line would wrap, and a wrapped line can't be cleared.
    this.#out.write(this.colors.dim(text.slice(0, (this.#out.columns || 80) - 1)))
    this.#isShown = true
  }
}
