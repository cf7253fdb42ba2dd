import { z } from 'zod'
import { ignored, message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import {
  branchTopic,
  deletedBranchText,
  isChosenBranch,
  nameOfRef,
  pushText,
  tagText,
} from '../../shared/git.ts'
import { type GitlabProject, project, text, url, within } from './payloads.ts'

const commit = z.looseObject({
  id: z.string(),
  url,
  message: text,
  author: z.looseObject({ name: text }).nullish(),
})

const push = z.looseObject({
  ref: z.string(),
  before: text,
  after: text,
  user_name: text,
  project,
  total_commits_count: z.int().nullish(),
  commits: z
    .array(commit)
    .nullish()
    .transform((commits) => commits ?? []),
})

/** The commit before a new branch and after a deleted one. */
const isZero = (sha: string): boolean => /^0+$/.test(sha)

export const onPush = on(push, ({ payload, parameters }, event) => {
  const { user_name: user, project: about, before, after } = payload
  const branch = nameOfRef(payload.ref)
  if (!isChosenBranch(branch, parameters.branches)) return ignored
  const compareUrl = compareUrlOf(about, branch, before, after)
  const content = isZero(after)
    ? deletedBranchText(user, branch)
    : pushText({
        user,
        branch,
        compareUrl,
        total: payload.total_commits_count,
        commits: payload.commits.map(({ id, author, ...each }) => ({
          sha: id,
          url: each.url,
          message: each.message,
          author: author?.name || null,
        })),
      })
  return message(event, branchTopic(about.name, branch), content)
})

/** A new branch has nothing to be compared with. */
const compareUrlOf = (about: GitlabProject, branch: string, before: string, after: string): string | null =>
  within(about, isZero(before) ? `commits/${branch}` : `compare/${before}...${after}`)

export const onTagPush = on(push, ({ payload }, event) => {
  const { user_name: user, project: about, ref, after } = payload
  return message(event, about.name, tagText(user, isZero(after) ? 'removed' : 'pushed', nameOfRef(ref)))
})
