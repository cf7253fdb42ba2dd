import type { Terminal } from '../tools.ts'

/** Too often makes a terminal flicker. */
const INTERVAL_MS = 100
const ERASE_LINE = '\r\x1b[K'

/** A line on a terminal that says how far something is; where the standard error is none, nothing is said. */
export interface ProgressLine {
  show(text: string): void
  /** Takes the line away. */
  end(): void
}

/** Begins a line, which is written anew at most ten times a second. */
export function startProgressLine({ stderr }: Pick<Terminal, 'stderr'>): ProgressLine {
  let nextAt = 0
  return {
    show: (text) => {
      if (!stderr.isTTY || Date.now() < nextAt) return
      nextAt = Date.now() + INTERVAL_MS
      stderr.write(`${ERASE_LINE}${text}`)
    },
    end: () => {
      if (stderr.isTTY) stderr.write(ERASE_LINE)
    },
  }
}

/** Bytes as people read them. */
export function renderBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}
