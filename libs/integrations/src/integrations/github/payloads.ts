import { z } from 'zod'
import type { Item } from '../../shared/git.ts'

export const url = z.string().nullish()
/** A text that may be null or missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

export const account = z.looseObject({ login: z.string(), html_url: url })
export type GithubAccount = z.output<typeof account>

export const accounts = z
  .array(account)
  .nullish()
  .transform((members) => members ?? [])

export const repository = z.looseObject({ name: z.string(), full_name: text, html_url: url })

/** What payloads of events within a repository share. */
export const base = z.looseObject({ sender: account, repository })

const numbered = z.looseObject({
  number: z.int(),
  title: text,
  html_url: url,
  body: text,
  assignees: accounts,
})

/** `pull_request` is there if it is one. */
export const issue = numbered.extend({ pull_request: z.looseObject({}).nullish() })
export type GithubIssue = z.output<typeof issue>

const side = z.looseObject({ ref: text })
export const pullRequest = numbered.extend({ head: side, base: side, merged: z.boolean().nullish() })
export type GithubPullRequest = z.output<typeof pullRequest>

export const comment = z.looseObject({ html_url: url, body: text })

export const changes = z.looseObject({}).nullish()

export const itemOf = (
  kind: 'PR' | 'issue',
  { number, title, html_url }: Pick<GithubIssue, 'number' | 'title' | 'html_url'>,
): Item => ({ kind, number, title, url: html_url })

export const commitUrl = (about: z.output<typeof repository>, sha: string): string | null =>
  about.html_url ? `${about.html_url}/commit/${sha}` : null

/** The name of a repository with its owner's, if there is one. */
export const fullName = ({ full_name, name }: z.output<typeof repository>): string => full_name || name

/** `octocat created the repository`, from `created`; `auto_merge_enabled` becomes `auto merge enabled`. */
export const spaced = (action: string): string => action.replaceAll('_', ' ')

/** A map, so that no action is named like a property. */
const COMMENT_VERBS: ReadonlyMap<string, string> = new Map([
  ['created', 'commented'],
  ['edited', 'edited a comment'],
  ['deleted', 'deleted a comment'],
])

/** What is said of a comment by its action. */
export const commentVerb = (action: string): string =>
  COMMENT_VERBS.get(action) ?? `${spaced(action)} a comment`
