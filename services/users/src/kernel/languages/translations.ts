import type { userSettings } from '@tms/contracts'
import type { Translation } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

/** The languages that texts are translated into, by the code of the settings. A variety, such as `pt-br`, uses its base. */
export const translations: Readonly<Record<string, Translation>> = {
  de: german,
  es: spanish,
  fr: french,
  ja: japanese,
  pt: portuguese,
} satisfies Partial<Record<(typeof userSettings.default_language.allowed)[number], Translation>>
