import { ZONE_MINUTES } from './time-zones.ts'

/** The parts of a time, which may not exist. */
export interface TimeParts {
  readonly year: number
  /** Starts at 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly milliseconds: number
  readonly offsetMinutes: number
}

type DateParts = Pick<TimeParts, 'year' | 'month' | 'day'>

/** Replaces the clock time: a zone is searched behind it. */
const CLOCK_MARK = '\u0001'
const CLOCK =
  /(?<![\d.:])(?:(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)? ?(?:([ap])\.?m\.?(?![a-z]))?|(\d{1,2}) ?([ap])\.?m\.?(?![a-z]))(?![\d:])/
const ZONE_OF_CLOCK = new RegExp(`${CLOCK_MARK} ?([a-z]{1,4})?(?: ?([+-])(\\d{1,2}):?(\\d\\d)?(?![\\d/.-]))?`)
const ZONE_AT_END = /(?<= )(?:([a-z]{1,4})|([+-])(\d\d):?(\d\d))$/
/** A numeric zone may be followed by its name, for readers. */
const REMARK = /(?<=[+-]\d\d:?\d\d) ?\([^()]*\)$/
const BETWEEN = /(?<![a-z])(?:at|on|of|the|and)(?![a-z])|[,;']|(?<=\d)(?:st|nd|rd|th)(?![a-z])|\.(?= |$)/g

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  /[-/]?(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])[-/]?/
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY =
  /(?<![a-z])(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?)(?![a-z])/
const DATE_IN_NUMBERS = /^(\d{1,4})([-/. ])(\d{1,2})(?:\2(\d{1,4}))?$/
const DATE_IN_DIGITS = /^(\d{4})(\d\d)(\d\d)$/

/**
 * Reads a time as users write it: `31 Dec 2017, 11:59 pm PST`, `12/31/2017`, `Sunday 5pm`. Null if any part has no
 * meaning. Missing parts are taken from `now`, in UTC. If two numbers could be the month, it is the first.
 */
export function readWrittenTime(text: string, now: Date): TimeParts | null {
  let rest = ` ${text.trim().toLowerCase()}`.replace(REMARK, '').replaceAll(BETWEEN, ' ')
  /** Removes the first match from the text. */
  const take = (pattern: RegExp, mark = ' '): RegExpExecArray | null => {
    rest = rest.replaceAll(/\s+/g, ' ').trimEnd()
    const match = pattern.exec(rest)
    if (match) rest = rest.replace(match[0], mark)
    return match
  }
  const clock = take(CLOCK, ` ${CLOCK_MARK} `)
  const month = take(MONTH)?.[0].replaceAll(/[-/]/g, '') ?? null
  const weekday = take(WEEKDAY)?.[0] ?? null
  const ofClock = clock ? take(ZONE_OF_CLOCK) : null
  const zone = clock && ofClock?.[1] === undefined && ofClock?.[2] === undefined ? take(ZONE_AT_END) : ofClock
  const offsetMinutes = zone ? readOffset(zone) : 0
  const date = readDate(rest.trim(), month, weekday, now)
  const time = clock ? readClock(clock) : { hour: 0, minute: 0, second: 0, milliseconds: 0 }
  const hasContent = clock !== null || month !== null || weekday !== null || rest.trim() !== ''
  return date && time && offsetMinutes !== null && hasContent ? { ...date, ...time, offsetMinutes } : null
}

function readClock([, hours, minutes, seconds, fraction, half, bareHours, bareHalf]: RegExpExecArray) {
  const hour = Number(hours ?? bareHours)
  const halfDay = half ?? bareHalf
  if (halfDay !== undefined && (hour < 1 || hour > 12)) return null
  return {
    hour: halfDay === undefined ? hour : (hour % 12) + (halfDay === 'p' ? 12 : 0),
    minute: Number(minutes ?? 0),
    second: Number(seconds ?? 0),
    milliseconds: Math.floor(Number(`0.${fraction ?? 0}`) * 1000),
  }
}

/** Null for an unknown zone: a time that is hours off is worse than none. */
function readOffset([, name, sign, hours, minutes]: RegExpExecArray): number | null {
  const ofName = name === undefined ? 0 : ZONE_MINUTES.get(name)
  if (ofName === undefined) return null
  return ofName + (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
}

function readDate(rest: string, month: string | null, weekday: string | null, now: Date): DateParts | null {
  if (month !== null) return dateWithMonth(rest, MONTHS.indexOf(month.slice(0, 3)) + 1, now)
  if (rest !== '') return dateInNumbers(rest, now)
  return weekday === null ? partsOf(now) : nextWeekday(WEEKDAYS.indexOf(weekday.slice(0, 3)), now)
}

function dateWithMonth(rest: string, month: number, now: Date): DateParts | null {
  const numbers = rest.split(/[-/ ]+/).filter((part) => part !== '')
  if (numbers.length > 2 || numbers.some((part) => !/^\d{1,4}$/.test(part))) return null
  const [first, second] = numbers
  const isYear = (part: string) => part.length > 2 || Number(part) > 31
  if (first === undefined)
    return { ...partsOf(now), month, day: clampedDay(now, now.getUTCFullYear(), month) }
  if (second === undefined) {
    if (!isYear(first)) return { year: now.getUTCFullYear(), month, day: Number(first) }
    const year = fullYear(first, now)
    return { year, month, day: clampedDay(now, year, month) }
  }
  const [day, year] = isYear(first) ? [second, first] : [first, second]
  return { year: fullYear(year, now), month, day: Number(day) }
}

function dateInNumbers(rest: string, now: Date): DateParts | null {
  const digits = DATE_IN_DIGITS.exec(rest)
  if (digits) return { year: Number(digits[1]), month: Number(digits[2]), day: Number(digits[3]) }
  const [, first, , second, third] = DATE_IN_NUMBERS.exec(rest) ?? []
  if (first === undefined || second === undefined) return null
  if (first.length > 2) {
    return { year: Number(first), month: Number(second), day: third === undefined ? 1 : Number(third) }
  }
  const [month, day] = Number(first) > 12 ? [second, first] : [first, second]
  const year = third === undefined ? now.getUTCFullYear() : fullYear(third, now)
  return { year, month: Number(month), day: Number(day) }
}

/** Two digits mean the nearest such year. */
function fullYear(written: string, now: Date): number {
  const year = Number(written)
  if (written.length > 2) return year
  const current = now.getUTCFullYear()
  const inCentury = current - (current % 100) + year
  if (inCentury >= current + 50) return inCentury - 100
  return inCentury < current - 50 ? inCentury + 100 : inCentury
}

const partsOf = (date: Date): DateParts => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
})

/** The current day of the month, or the last day of a shorter month. */
const clampedDay = (now: Date, year: number, month: number) =>
  Math.min(now.getUTCDate(), new Date(Date.UTC(year, month, 0)).getUTCDate())

function nextWeekday(weekday: number, now: Date): DateParts {
  return partsOf(new Date(now.getTime() + ((weekday - now.getUTCDay() + 7) % 7) * 86_400_000))
}
