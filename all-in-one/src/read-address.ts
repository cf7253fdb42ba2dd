import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAddress, type Settings } from './settings.ts'

/** It is written by whoever started the container, as soon as Docker has told them its port. */
const TIMEOUT_MS = 60_000
const POLL_MS = 50

/** The base URL that clients use, once it is known. Throws when a minute went by, and for what is no such URL. */
export async function readAddress(from: Settings['address'], signal: AbortSignal): Promise<string> {
  if ('url' in from) return from.url
  const path = from.file
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    signal.throwIfAborted()
    const text = read(path)
    // Whole once its line has ended.
    if (!text.endsWith('\n')) continue
    const address = findAddress(text.trim())
    if (!address) throw new Error(`${path} (EXTERNAL_URL_FILE) has no address in it: ${text.trim()}`)
    return address
  }
  throw new Error(`nobody wrote ${path} (EXTERNAL_URL_FILE) within a minute`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw err
  }
}
