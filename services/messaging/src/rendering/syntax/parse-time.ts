import { readWrittenTime, type TimeParts } from './written-time.ts'

const UNIX_SECONDS = /^-?\d{1,12}(?:\.\d{1,6})?$/
/** Eight digits are a date that begins with a year, since nobody writes seconds of 1970. */
const DATE_IN_DIGITS = /^[12]\d{7}$/
const ISO_8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[Tt ](\d\d):?(\d\d)(?::?(\d\d)(\.\d{1,6})?)? ?(?:[Zz]|([+-])(\d\d):?(\d\d)|))?$/

/**
 * Parses UNIX seconds, an ISO 8601 time, or a written time, in UTC if it names no zone. Returns it in UTC; null if it
 * is invalid. Missing parts, such as the year, are those of `now`. `Date.parse` is no alternative: the formats it
 * accepts, and their zone, partly depend on the machine.
 */
export function parseTime(text: string, now: Date): string | null {
  const trimmed = text.trim()
  if (UNIX_SECONDS.test(trimmed) && !DATE_IN_DIGITS.test(trimmed))
    return format(new Date(Number(trimmed) * 1000))
  const parts = readIsoTime(trimmed) ?? readWrittenTime(trimmed, now)
  return parts && dateOf(parts)
}

function readIsoTime(text: string): TimeParts | null {
  const match = ISO_8601.exec(text)
  if (!match) return null
  const part = (index: number) => Number(match[index] ?? 0)
  return {
    year: part(1),
    month: part(2),
    day: part(3),
    hour: part(4),
    minute: part(5),
    second: part(6),
    milliseconds: Math.floor(Number(`0${match[7] ?? ''}`) * 1000),
    offsetMinutes: (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1),
  }
}

function dateOf({
  year,
  month,
  day,
  hour,
  minute,
  second,
  milliseconds,
  offsetMinutes,
}: TimeParts): string | null {
  if (hour > 23 || minute > 59 || second > 59 || Math.abs(offsetMinutes) >= 24 * 60) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  // 30 February would roll over into March.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null
  date.setUTCHours(hour, minute - offsetMinutes, second, milliseconds)
  return format(date)
}

/** Null for years that four digits can't express. */
function format(date: Date): string | null {
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return null
  return date.toISOString().replace('.000Z', 'Z')
}
