import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseAddress, type Settings } from './settings.ts'

/** The program that started the container writes the file once Docker has assigned a port. */
const TIMEOUT_MS = 60_000
const POLL_MS = 50

/** Waits for the base URL that clients use. Throws after a minute without one, and for an invalid URL. */
export async function readAddress(from: Settings['address'], signal: AbortSignal): Promise<string> {
  if ('url' in from) return from.url
  const path = from.file
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    signal.throwIfAborted()
    const text = read(path)
    // The file is complete once its line ends.
    if (!text.endsWith('\n')) continue
    const address = parseAddress(text.trim())
    if (!address) throw new Error(`${path} (EXTERNAL_URL_FILE) has no valid address: ${text.trim()}`)
    return address
  }
  throw new Error(`${path} (EXTERNAL_URL_FILE) was not written within a minute`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw err
  }
}
