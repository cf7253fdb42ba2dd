import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Larger logs are rotated when they are opened (one older file is kept); a run never loses its own lines. */
const MAX_LOG_BYTES = 20_000_000

/** Opens a log for appending and returns its file descriptor. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true })
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

/** The last lines of a file, for an error message; empty if there is no file. */
export function readLastLines(path: string, count: number): string[] {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const buffer = Buffer.alloc(Math.min(size, 16_384))
      readSync(file, buffer, 0, buffer.length, size - buffer.length)
      return buffer.toString('utf8').trimEnd().split('\n').slice(-count)
    } finally {
      closeSync(file)
    }
  } catch {
    return []
  }
}
