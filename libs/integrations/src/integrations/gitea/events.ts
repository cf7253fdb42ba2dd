import { z } from 'zod'
import { ignored, message } from '../../kernel/integration.ts'
import { type EventHandler, type EventTable, on } from '../../shared/event-table.ts'
import {
  branchTopic,
  commentText,
  createdBranchText,
  type Item,
  isBranchRef,
  isChosenBranch,
  itemLink,
  itemText,
  itemTopic,
  nameOfRef,
  pushText,
  releaseText,
  releaseTopic,
  tagText,
} from '../../shared/git.ts'
import { inline } from '../../shared/markdown.ts'
import { base, people, person, text, url, verbOf, within } from './payloads.ts'

const push = z.looseObject({
  repository: base.shape.repository,
  ref: z.string(),
  compare_url: url,
  pusher: person.nullish(),
  sender: person.nullish(),
  total_commits: z.int().nullish(),
  commits: z
    .array(z.looseObject({ id: z.string(), url, message: text, author: person.nullish() }))
    .nullish()
    .transform((commits) => commits ?? []),
})

const onPush = on(push, ({ payload, parameters }, event) => {
  const user = payload.pusher || payload.sender || '?'
  const name = nameOfRef(payload.ref)
  const repository = payload.repository.name
  if (!isBranchRef(payload.ref)) return message(event, repository, tagText(user, 'pushed', name))
  if (!isChosenBranch(name, parameters.branches)) return ignored
  const content = pushText({
    user,
    branch: name,
    compareUrl: payload.compare_url,
    total: payload.total_commits,
    commits: payload.commits.map(({ id, author, ...each }) => ({
      sha: id,
      url: each.url,
      message: each.message,
      author: author ?? null,
    })),
  })
  return message(event, branchTopic(repository, name), content)
})

const onCreate = on(base.extend({ ref: z.string(), ref_type: text }), ({ payload }, event) => {
  const { sender, repository } = payload
  const name = nameOfRef(payload.ref)
  return payload.ref_type === 'tag'
    ? message(event, repository.name, tagText(sender, 'pushed', name))
    : message(
        event,
        branchTopic(repository.name, name),
        createdBranchText(sender, name, within(repository, `src/branch/${name}`)),
      )
})

const side = z.looseObject({ ref: text }).nullish()
const pullRequest = base.extend({
  action: z.string(),
  pull_request: z.looseObject({
    number: z.int(),
    title: text,
    body: text,
    html_url: url,
    head: side,
    base: side,
    head_branch: text,
    base_branch: text,
    merged: z.boolean().nullish(),
    assignees: people,
  }),
})

const onPullRequest = on(pullRequest, ({ payload, hasTopic }, event) => {
  const { action, sender, repository, pull_request: about } = payload
  const item: Item = { kind: 'PR', number: about.number, title: about.title, url: about.html_url }
  const isClosed = action === 'closed'
  const content = itemText({
    user: sender,
    action: isClosed ? (about.merged ? 'merged' : 'closed without merge') : inline(verbOf(action)),
    item,
    hasTopic,
    branches: isClosed
      ? null
      : { head: about.head?.ref || about.head_branch, base: about.base?.ref || about.base_branch },
    assignees: isClosed ? [] : about.assignees,
    body: action === 'opened' || action === 'edited' ? about.body : null,
  })
  return message(event, itemTopic(repository.name, item), content)
})

const issue = z.looseObject({
  number: z.int(),
  title: text,
  body: text,
  html_url: url,
  assignees: people,
  pull_request: z.looseObject({}).nullish(),
})

const itemOf = (about: z.output<typeof issue>, repository: z.output<typeof base>['repository']): Item => {
  const isPullRequest = about.pull_request !== null && about.pull_request !== undefined
  return {
    kind: isPullRequest ? 'PR' : 'issue',
    number: about.number,
    title: about.title,
    url: about.html_url || within(repository, `${isPullRequest ? 'pulls' : 'issues'}/${about.number}`),
  }
}

const onIssue = on(base.extend({ action: z.string(), issue }), ({ payload, hasTopic }, event) => {
  const { action, sender, repository, issue: about } = payload
  const item = itemOf(about, repository)
  const content = itemText({
    user: sender,
    action: inline(verbOf(action)),
    item,
    hasTopic,
    assignees: about.assignees,
    body: action === 'opened' || action === 'edited' ? about.body : null,
  })
  return message(event, itemTopic(repository.name, item), content)
})

const issueComment = base.extend({
  action: z.string(),
  issue,
  comment: z.looseObject({ body: text, html_url: url }),
})

const COMMENT_VERBS: ReadonlyMap<string, string> = new Map([
  ['edited', 'edited a comment'],
  ['deleted', 'deleted a comment'],
])

const onIssueComment = on(issueComment, ({ payload, hasTopic }, event) => {
  const { action, sender, repository, comment } = payload
  const item = itemOf(payload.issue, repository)
  const content = commentText({
    user: sender,
    verb: COMMENT_VERBS.get(action) ?? 'commented',
    url: comment.html_url,
    target: itemLink(item, hasTopic),
    body: comment.body,
  })
  return message(event, itemTopic(repository.name, item), content)
})

const release = base.extend({
  action: z.string(),
  release: z.looseObject({ name: text, tag_name: text, html_url: url }),
})

const onRelease = on(release, ({ payload }, event) => {
  const { action, sender, repository } = payload
  const { name, tag_name: tag, html_url } = payload.release
  const content = releaseText(sender, verbOf(action), { name, tag, url: html_url || repository.html_url })
  return message(event, releaseTopic(repository.name, tag, name), content)
})

export const giteaEvents: EventTable = new Map<string, EventHandler>([
  ['create', onCreate],
  ['issue_comment', onIssueComment],
  ['issues', onIssue],
  ['pull_request', onPullRequest],
  ['push', onPush],
  ['release', onRelease],
])
