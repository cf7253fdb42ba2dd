import { z } from 'zod'
import { ignored, message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import {
  branchTopic,
  commentText,
  commitLink,
  createdBranchText,
  deletedBranchText,
  isBranchRef,
  isChosenBranch,
  nameOfRef,
  pushText,
  tagText,
} from '../../shared/git.ts'
import { inline } from '../../shared/markdown.ts'
import { base, comment, commitUrl, text, url } from './payloads.ts'

const commit = z.looseObject({
  id: z.string(),
  url,
  message: text,
  author: z.looseObject({ name: text, username: text }).nullish(),
})

const push = base.extend({
  ref: z.string(),
  deleted: z.boolean().nullish(),
  forced: z.boolean().nullish(),
  compare: url,
  commits: z
    .array(commit)
    .nullish()
    .transform((commits) => commits ?? []),
})

/** Branches that the merge queue makes and deletes by itself. */
const MERGE_QUEUE = 'gh-readonly-queue/'

export const onPush = on(push, ({ payload, parameters }) => {
  const user = payload.sender.login
  const name = nameOfRef(payload.ref)
  const repository = payload.repository.name
  if (!isBranchRef(payload.ref))
    return message('push_tags', repository, tagText(user, payload.deleted ? 'removed' : 'pushed', name))
  if (name.startsWith(MERGE_QUEUE) || !isChosenBranch(name, parameters.branches)) return ignored
  const content = payload.deleted
    ? deletedBranchText(user, name, payload.compare)
    : pushText({
        user,
        branch: name,
        compareUrl: payload.compare,
        isForced: payload.forced,
        commits: payload.commits.map(({ id, author, ...each }) => ({
          sha: id,
          url: each.url,
          message: each.message,
          author: author?.username || author?.name || null,
        })),
      })
  return message('push_commits', branchTopic(repository, name), content)
})

const ref = base.extend({ ref: z.string(), ref_type: z.string() })

export const onCreate = on(ref, ({ payload }, event) => {
  const { sender, repository } = payload
  const address = repository.html_url ? `${repository.html_url}/tree/${payload.ref}` : null
  const content =
    payload.ref_type === 'branch'
      ? createdBranchText(sender.login, payload.ref, address)
      : `${inline(sender.login)} created ${inline(payload.ref_type)} ${inline(payload.ref)}.`
  return message(event, repository.name, content)
})

export const onDelete = on(ref, ({ payload }, event) => {
  const { sender, repository } = payload
  const content =
    payload.ref_type === 'branch'
      ? deletedBranchText(sender.login, payload.ref)
      : `${inline(sender.login)} deleted ${inline(payload.ref_type)} ${inline(payload.ref)}.`
  return message(event, repository.name, content)
})

const commitComment = base.extend({ comment: comment.extend({ commit_id: z.string() }) })

export const onCommitComment = on(commitComment, ({ payload }, event) => {
  const { sender, repository, comment: about } = payload
  const content = commentText({
    user: sender.login,
    url: about.html_url,
    target: commitLink(about.commit_id, commitUrl(repository, about.commit_id)),
    body: about.body,
  })
  return message(event, repository.name, content)
})
