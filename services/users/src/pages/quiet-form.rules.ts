import { userSettings } from '@tms/contracts'

/** As sets of weekdays have them: the first is bit 0. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
type Weekday = (typeof WEEKDAYS)[number]

/** Quiet hours as a form has them. */
export interface QuietForm {
  readonly isEnabled: boolean
  /** As '22:00'. */
  readonly start: string
  readonly end: string
  /** On which they begin. */
  readonly days: readonly Weekday[]
  readonly wholeDays: readonly Weekday[]
}

/** Settings of quiet hours. */
export interface QuietHours {
  readonly quiet_hours_enabled: boolean
  readonly quiet_hours_start: number
  readonly quiet_hours_end: number
  readonly quiet_hours_days: number
  readonly quiet_whole_days: number
}

/** The quiet hours among an account's settings. */
export function storedQuietHours(settings: Readonly<Record<string, unknown>>): QuietHours {
  const numberOf = (name: Exclude<keyof QuietHours, 'quiet_hours_enabled'>) =>
    Number(settings[name] ?? userSettings[name].default)
  return {
    quiet_hours_enabled: settings['quiet_hours_enabled'] === true,
    quiet_hours_start: numberOf('quiet_hours_start'),
    quiet_hours_end: numberOf('quiet_hours_end'),
    quiet_hours_days: numberOf('quiet_hours_days'),
    quiet_whole_days: numberOf('quiet_whole_days'),
  }
}

/** The form that shows quiet hours. */
export function quietFormOf(hours: QuietHours): QuietForm {
  return {
    isEnabled: hours.quiet_hours_enabled,
    start: clockOf(hours.quiet_hours_start),
    end: clockOf(hours.quiet_hours_end),
    days: daysOf(hours.quiet_hours_days),
    wholeDays: daysOf(hours.quiet_whole_days),
  }
}

/** What was entered. */
export function readQuietForm(input: Readonly<Record<string, string | undefined>>): QuietForm {
  const chosen = (prefix: string) => WEEKDAYS.filter((day) => input[`${prefix}_${day}`] !== undefined)
  return {
    isEnabled: input['enabled'] !== undefined,
    start: input['start'] ?? '',
    end: input['end'] ?? '',
    days: chosen('from'),
    wholeDays: chosen('whole'),
  }
}

/** The settings of a form; null if a time is missing or wrong. */
export function quietHoursOf({ isEnabled, start, end, days, wholeDays }: QuietForm): QuietHours | null {
  const [from, to] = [minutesOf(start), minutesOf(end)]
  if (from === null || to === null) return null
  return {
    quiet_hours_enabled: isEnabled,
    quiet_hours_start: from,
    quiet_hours_end: to,
    quiet_hours_days: sumOf(days),
    quiet_whole_days: sumOf(wholeDays),
  }
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const clockOf = (minutes: number): string =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/** Browsers may add seconds. */
function minutesOf(clock: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)(?::\d{2}(?:\.\d+)?)?$/.exec(clock) ?? []
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes)
}

const daysOf = (set: number): Weekday[] => WEEKDAYS.filter((_, bit) => (set & (1 << bit)) !== 0)
const sumOf = (days: readonly Weekday[]): number =>
  days.reduce((sum, day) => sum + (1 << WEEKDAYS.indexOf(day)), 0)
