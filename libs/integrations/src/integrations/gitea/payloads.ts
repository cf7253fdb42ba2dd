import { z } from 'zod'

export const url = z.string().nullish()
/** A text that may be null or missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** Accounts have their names in fields that differ by version. */
export const person = z
  .looseObject({ username: text, login: text, name: text })
  .transform(({ username, login, name }) => username || login || firstWord(name))

const firstWord = (name: string): string => name.trim().split(/\s/, 1)[0] ?? ''

export const people = z
  .array(person)
  .nullish()
  .transform((members) => members ?? [])

export const repository = z.looseObject({ name: z.string(), html_url: url })

/** What payloads of most events share. */
export const base = z.looseObject({ sender: person, repository })

/** An address within a repository; null if its own isn't known. */
export const within = ({ html_url }: z.output<typeof repository>, path: string): string | null =>
  html_url ? `${html_url}/${path}` : null

const VERBS: ReadonlyMap<string, string> = new Map([
  ['synchronized', 'updated'],
  ['label_updated', 'changed the labels of'],
  ['label_cleared', 'removed the labels of'],
])

/** What is said of an action. */
export const verbOf = (action: string): string => VERBS.get(action) ?? action.replaceAll('_', ' ')
