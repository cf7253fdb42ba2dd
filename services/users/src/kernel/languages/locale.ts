import { knownTimeZone, type RealmProjection } from '@tms/contracts'
import { settingsOf } from '../settings/user-settings.ts'
import { english, type Text, type TextKey, type Translation } from './english.ts'
import { translations } from './translations.ts'

/** Dates and times are British English: the day before the month. */
const ENGLISH_TIMES = 'en-GB'

/** The names of placeholders in a text, such as `realm` in 'Open {realm}'. */
type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type EnglishText<Key extends TextKey> = (typeof english)[Key]
type PlaceholdersOf<Key extends TextKey> =
  EnglishText<Key> extends string
    ? NamesIn<EnglishText<Key>>
    : NamesIn<EnglishText<Key>[keyof EnglishText<Key>]>
type ValueOf<Name> = Name extends 'count' ? number : string

/** What a text needs: nothing, or a value for each placeholder. */
export type ValuesOf<Key extends TextKey> = [PlaceholdersOf<Key>] extends [never]
  ? []
  : [values: { readonly [Name in PlaceholdersOf<Key>]: ValueOf<Name> }]

/** How texts, lists and times are written for one reader. */
export interface Locale {
  /** The language of the texts, as HTML names it. */
  readonly language: string
  readonly timeZone: string
  /** The text in the language, else in English. A `count` decides the form. */
  text<Key extends TextKey>(key: Key, ...values: ValuesOf<Key>): string
  /** 'A, B, and C'. */
  list(names: readonly string[]): string
  /** A moment in the reader's time zone, which is named. `full` has the day of the week. */
  time(moment: Date, style?: 'long' | 'full'): string
}

/** The reader's clock: 24 hours, 12 hours, or as is usual in the language. */
export type Clock = 24 | 12 | null

/** Makes the locale for a language of the settings; one that isn't translated is written as English. */
export function createLocale(language: string, timeZone = 'UTC', clock: Clock = null): Locale {
  const known = findTranslated(language)
  const texts: Translation = known === 'en' ? english : (translations[known] ?? {})
  return {
    language: known,
    timeZone,
    text: (key, ...[values = {}]) => {
      const own = texts[key]
      return own === undefined ? write(english[key], values, 'en') : write(own, values, known)
    },
    list: (names) => new Intl.ListFormat(known, { type: 'conjunction' }).format(names),
    time: (moment, style = 'long') => {
      const format = new Intl.DateTimeFormat(known === 'en' ? ENGLISH_TIMES : known, {
        dateStyle: style,
        timeStyle: 'short',
        timeZone,
        ...(clock !== null && { hourCycle: clock === 12 ? ('h12' as const) : ('h23' as const) }),
      })
      return `${format.format(moment)} (${timeZone})`
    },
  }
}

/** The locale of an account: its language, time zone and clock. */
export function localeOf(account: Parameters<typeof settingsOf>[0]): Locale {
  const settings = settingsOf(account)
  const clock = settings['twenty_four_hour_time'] === true ? 24 : 12
  return createLocale(String(settings['default_language']), knownTimeZone(account.timezone), clock)
}

/** The locale for readers without an account. */
export function localeOfRealm({
  default_language: language,
}: Pick<RealmProjection, 'default_language'>): Locale {
  return createLocale(language)
}

/** The language itself, or what it is a variety of: `pt` for `pt-br`. */
function findTranslated(language: string): string {
  const [base = ''] = language.split('-')
  return [language, base].find((each) => Object.hasOwn(translations, each)) ?? 'en'
}

/** Fills in the placeholders in one pass, so that names with braces stay as they are. */
function write(text: Text, values: Readonly<Record<string, string | number>>, language: string): string {
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(language).select(Number(values['count']))] ?? text.other)
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(language) : (value ?? whole)
  })
}
