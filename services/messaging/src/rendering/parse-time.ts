const UNIX_SECONDS = /^-?\d{1,12}(?:\.\d{1,6})?$/
const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,6})?)? ?(?:[Zz]|([+-])(\d\d):?(\d\d)|))?$/

/**
 * Reads UNIX seconds or an ISO 8601 time, taken as UTC if it names no zone, and returns it in UTC, or null.
 * `Date.parse` is no help: what it accepts, and in which zone, is partly up to the machine.
 */
export function parseTime(text: string): string | null {
  const trimmed = text.trim()
  if (UNIX_SECONDS.test(trimmed)) return format(new Date(Number(trimmed) * 1000))

  const match = ISO_8601.exec(trimmed)
  if (!match) return null
  const part = (index: number) => Number(match[index] ?? 0)
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)]
  const offsetMinutes = (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1)
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return null

  const date = new Date(Date.UTC(year, month - 1, day))
  // 30 February would roll over into March.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null
  const milliseconds = Math.floor(Number(`0${match[7] ?? ''}`) * 1000)
  date.setUTCHours(hour, minute - offsetMinutes, second, milliseconds)
  return format(date)
}

/** Null outside of the years that four digits can write. */
function format(date: Date): string | null {
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return null
  return date.toISOString().replace('.000Z', 'Z')
}
