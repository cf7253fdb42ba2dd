import type { Terminal } from './command-action.ts'

/** More often makes a terminal flicker, or fills a log. */
const INTERVAL_MS = { terminal: 100, log: 30_000 }
const ERASE_LINE = '\r\x1b[K'

/** Shows progress: one line that is overwritten on a terminal, else a new line now and then. */
export interface ProgressLine {
  readonly show: (text: string) => void
  /** Erases the line. */
  readonly end: () => void
}

/** Starts a line, which is updated at most ten times a second on a terminal, else twice a minute. */
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

/** A number of bytes for people. */
export function renderBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}
