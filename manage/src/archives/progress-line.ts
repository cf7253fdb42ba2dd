import type { Terminal } from '../tools.ts'

/** Too often makes a terminal flicker, or fills a log. */
const INTERVAL_MS = { terminal: 100, log: 30_000 }
const ERASE_LINE = '\r\x1b[K'

/** A line on a terminal that says how far something is; where the standard error is none, a line now and then. */
export interface ProgressLine {
  readonly show: (text: string) => void
  /** Takes the line away. */
  readonly end: () => void
}

/** Begins a line, which is written anew at most ten times a second, or twice a minute where nobody watches. */
export function startProgressLine({ stderr }: Pick<Terminal, 'stderr'>): ProgressLine {
  const { isTTY = false } = stderr
  let nextAt = isTTY ? 0 : Date.now() + INTERVAL_MS.log
  return {
    show: (text) => {
      if (Date.now() < nextAt) return
      nextAt = Date.now() + (isTTY ? INTERVAL_MS.terminal : INTERVAL_MS.log)
      stderr.write(isTTY ? `${ERASE_LINE}${text}` : `${text}\n`)
    },
    end: () => {
      if (isTTY) stderr.write(ERASE_LINE)
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
