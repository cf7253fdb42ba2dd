import { z } from 'zod'

export const url = z.string().nullish()
/** A text that may be null or missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

export const project = z.looseObject({ name: z.string(), web_url: url })
export type GitlabProject = z.output<typeof project>

const person = z.looseObject({ name: text })
export const people = z
  .array(person)
  .nullish()
  .transform((members) => (members ?? []).map(({ name }) => name).filter((name) => name !== ''))

/** What payloads of most events share. */
export const base = z.looseObject({ user: person, project })

/** An address within a project; null if its own isn't known. */
export const within = ({ web_url }: GitlabProject, path: string): string | null =>
  web_url ? `${web_url}/-/${path}` : null
