import type { IncomingHttpHeaders } from 'node:http'

/** Services that ask for more get a try nevertheless: it may be a mistake, and notifications don't wait for days. */
const MAX_MS = 3_600_000

/** The wait that a service asks for: seconds, or a date. Null if it doesn't. */
export function retryAfterOf({ 'retry-after': text }: IncomingHttpHeaders, now: Date): number | null {
  if (text === undefined) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? null : Math.min(MAX_MS, Math.max(0, ms))
}
