import { knownTimeZone } from './known-time-zone.ts'
import { type SettingName, userSettings } from './settings.ts'

/** The settings that decide when a user's devices are silent. */
const NAMES = [
  'quiet_hours_enabled',
  'quiet_hours_start',
  'quiet_hours_end',
  'quiet_hours_days',
  'quiet_whole_days',
  'quiet_until',
] as const satisfies readonly SettingName[]

/** As stored: settings that are newer than a projection are missing. */
export interface QuietSettings {
  readonly quiet_hours_enabled?: boolean | undefined
  readonly quiet_hours_start?: number | undefined
  readonly quiet_hours_end?: number | undefined
  readonly quiet_hours_days?: number | undefined
  readonly quiet_whole_days?: number | undefined
  readonly quiet_until?: number | undefined
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How far quiet times that follow each other are joined. Somebody who is always quiet is looked at again then. */
const MAX_JOINED_MS = 7 * DAY_MS

/** A span of time, in milliseconds; its end is not in it. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Until when a user wants quiet; null if not now. Quiet hours begin on their days at the start, and end at the next end, on
 * the day after if that isn't later; equal times are a whole day. On whole days there is quiet from midnight to midnight. All of it is
 * in the user's time zone, UTC without one that is known: times that clocks skip are the same moment after the change, and of times that come twice the first counts. Times
 * that follow each other are joined.
 */
export function quietUntil(settings: QuietSettings, timeZone: string, now: Date): Date | null {
  const zone = knownTimeZone(timeZone)
  const start = now.getTime()
  let end = start
  while (end < start + MAX_JOINED_MS) {
    const later = spansAround(settings, zone, end)
      .filter(({ from, to }) => from <= end && end < to)
      .map(({ to }) => to)
    if (later.length === 0) break
    end = Math.max(...later)
  }
  return end > start ? new Date(end) : null
}

/** The quiet times that may contain a moment. */
function spansAround(given: QuietSettings, timeZone: string, at: number): Span[] {
  const settings = withDefaults(given)
  const snooze = { from: 0, to: settings.quiet_until * 1_000 }
  if (!settings.quiet_hours_enabled) return [snooze]
  const { quiet_hours_start: from, quiet_hours_end: to } = settings
  const today = Math.floor((at + offsetAt(timeZone, at)) / DAY_MS)
  const instant = (day: number, minutes: number) => instantOf(timeZone, day * DAY_MS + minutes * MINUTE_MS)
  const hours = [today - 1, today]
    .filter((day) => hasDay(settings.quiet_hours_days, day))
    .map((day) => ({ from: instant(day, from), to: instant(to > from ? day : day + 1, to) }))
  const wholeDay = hasDay(settings.quiet_whole_days, today)
    ? [{ from: instant(today, 0), to: instant(today + 1, 0) }]
    : []
  return [snooze, ...hours, ...wholeDay]
}

function withDefaults(given: QuietSettings) {
  const defaults = Object.fromEntries(NAMES.map((name) => [name, userSettings[name].default]))
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(known) } as { quiet_hours_enabled: boolean } & Record<
    Exclude<(typeof NAMES)[number], 'quiet_hours_enabled'>,
    number
  >
}

/** Whether a set of weekdays has that of a day since 1970: bit 0 is Monday. */
function hasDay(weekdays: number, day: number): boolean {
  // 1970-01-01 was a Thursday.
  const weekday = (((day + 3) % 7) + 7) % 7
  return (weekdays & (1 << weekday)) !== 0
}

/** The moment at which clocks of a time zone show a local time, given as milliseconds since 1970 there. */
function instantOf(timeZone: string, local: number): number {
  // Clocks change by less than a day, so these are the offsets before and after a change nearby.
  const before = offsetAt(timeZone, local - DAY_MS)
  const after = offsetAt(timeZone, local + DAY_MS)
  const fitting = [before, after]
    .map((offset) => local - offset)
    .filter((moment) => moment + offsetAt(timeZone, moment) === local)
  return fitting.length > 0 ? Math.min(...fitting) : local - before
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** By how much clocks of a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
}
