/** Fields with the time of something that happened, in UNIX seconds. */
const SECONDS: ReadonlySet<string> = new Set([
  ...['date_created', 'realm_date_created', 'timestamp', 'last_updated', 'edit_timestamp'],
  ...[
    'last_edit_timestamp',
    'last_moved_timestamp',
    'server_timestamp',
    'active_timestamp',
    'idle_timestamp',
    'invited',
  ],
  ...['export_time', 'event_time'],
])
const MILLISECONDS: ReadonlySet<string> = new Set(['create_time', 'date_sent'])
const ISO: ReadonlySet<string> = new Set(['date_joined'])
/** The time is given by the author. */
const NOT_OURS: ReadonlySet<string> = new Set(['draft', 'drafts'])

/** Future times in a response, each with its path. A second that is rounded instead of floored is one. */
export function futureTimes(value: unknown, nowMs: number, path = ''): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    if (NOT_OURS.has(name)) return []
    const at = `${path}.${name}`
    const ms = millisecondsOf(name, field)
    if (ms !== null) return ms > nowMs ? [`${at} is ${(ms - nowMs) / 1000} s ahead`] : []
    return futureTimes(field, nowMs, at)
  })
}

function millisecondsOf(name: string, value: unknown): number | null {
  if (typeof value === 'number' && SECONDS.has(name)) return value * 1000
  if (typeof value === 'number' && MILLISECONDS.has(name)) return value
  return typeof value === 'string' && ISO.has(name) ? Date.parse(value) : null
}
