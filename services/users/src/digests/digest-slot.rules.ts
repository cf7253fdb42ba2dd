import { knownTimeZone } from '@tms/contracts'

const HOUR_MS = 3_600_000
/** What a digest is about at most: the time since the one before. */
export const NEWS_MS = 7 * 24 * HOUR_MS
/** At which hour of their own time zone users get digests. */
const DIGEST_HOUR = 18
/** Offsets of time zones from UTC, in hours. */
const OFFSETS = { min: -12, max: 14 } as const
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The full hour in which a moment lies. Digests go through the hours, in each of which it is evening somewhere. */
export function slotOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS)
}

export const nextSlot = (slot: Date): Date => new Date(slot.getTime() + HOUR_MS)

/** The weekdays, 0 for Monday, that it is in the time zones in which digests are mailed in the hour that begins at `slot`. */
export function weekdaysOf(slot: Date): number[] {
  const weekdays = new Set<number>()
  for (let offset = OFFSETS.min; offset <= OFFSETS.max; offset++) {
    const local = new Date(slot.getTime() + offset * HOUR_MS)
    if (local.getUTCHours() === DIGEST_HOUR) weekdays.add((local.getUTCDay() + 6) % 7)
  }
  return [...weekdays]
}

/**
 * Creates the decision whether a user in a time zone gets a digest in the hour that begins at `slot`: it is that
 * weekday there, between 18 and 19 o'clock. Users without a time zone that is known are in UTC.
 */
export function createDigestTime(slot: Date): (timeZone: string, weekday: number) => boolean {
  const weekdayByZone = new Map<string, number | null>()
  return (timeZone, weekday) => {
    let evening = weekdayByZone.get(timeZone)
    if (evening === undefined) {
      evening = weekdayOfEvening(slot, knownTimeZone(timeZone))
      weekdayByZone.set(timeZone, evening)
    }
    return evening === weekday
  }
}

/** The weekday in a time zone; null if it isn't the hour of digests there. */
function weekdayOfEvening(slot: Date, timeZone: string): number | null {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' },
  }).formatToParts(slot)
  const valueOf = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? ''
  return Number(valueOf('hour')) === DIGEST_HOUR ? WEEKDAYS.indexOf(valueOf('weekday')) : null
}
