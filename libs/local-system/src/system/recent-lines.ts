/** Enough to see what a replica did around a fault; more is in its log file. */
const MAX_LINES = 2_000

/** The last lines that a process wrote. */
export class RecentLines {
  #lines: string[] = []

  add(line: string): void {
    this.#lines.push(line)
    // Truncated rarely and by half, so that a line costs no shifting.
    if (this.#lines.length > 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES)
  }

  list(count: number = MAX_LINES): string[] {
    return this.#lines.slice(-count)
  }
}
