import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The value in a JSON file; null if the file is missing. Throws if it is not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`${path} is not readable JSON; remove it to start anew`, { cause: err })
  }
}

/** Writes a file that only its owner can read (mode 600), whole or not at all. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const half = `${path}.${process.pid}.tmp`
  writeFileSync(half, text, { mode: 0o600 })
  chmodSync(half, 0o600)
  renameSync(half, path)
}

export function writePrivateJson(path: string, value: unknown): void {
  writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`)
}
