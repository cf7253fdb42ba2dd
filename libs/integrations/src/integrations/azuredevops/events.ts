import { z } from 'zod'
import { type IntegrationMessage, ignored, message } from '../../kernel/integration.ts'
import { type EventHandler, type EventTable, on } from '../../shared/event-table.ts'
import { listOf, named, text, url } from '../../shared/fields.ts'
import {
  branchTopic,
  commentText,
  createdBranchText,
  deletedBranchText,
  type Item,
  isBranchRef,
  isChosenBranch,
  itemLink,
  itemText,
  itemTopic,
  nameOfRef,
  pushText,
  tagText,
} from '../../shared/git.ts'
import { inline, link } from '../../shared/markdown.ts'
import { onWorkItem, onWorkItemComment } from './work-items.ts'

const person = z
  .looseObject({ displayName: text })
  .nullish()
  .transform((value) => value?.displayName || 'Someone')
const repository = z.looseObject({ name: z.string(), remoteUrl: url, webUrl: url })
type Repository = z.output<typeof repository>

/** A page of a repository; null if its own isn't known. */
const within = ({ webUrl, remoteUrl }: Repository, path: string): string | null => {
  const own = webUrl || remoteUrl
  return own ? `${own}/${path}` : null
}

const NONE = /^0+$/

const push = z.looseObject({
  resource: z.looseObject({
    pushId: text,
    pushedBy: person,
    repository,
    commits: listOf(z.looseObject({ commitId: z.string(), comment: text, author: named })),
    refUpdates: z.array(z.looseObject({ name: z.string(), oldObjectId: text, newObjectId: text })),
  }),
})

const onPush = on(push, ({ payload, parameters }, event) => {
  const { repository: of, refUpdates: updates } = payload.resource
  const made = updates.map((update): IntegrationMessage | null => {
    const name = nameOfRef(update.name)
    const isGone = NONE.test(update.newObjectId)
    if (!isBranchRef(update.name))
      return {
        event,
        topic: of.name,
        content: tagText(payload.resource.pushedBy, isGone ? 'removed' : 'pushed', name),
      }
    if (!isChosenBranch(name, parameters['branches'])) return null
    return { event, topic: branchTopic(of.name, name), content: branchText(payload.resource, update, name) }
  })
  return { kind: 'messages', messages: made.flatMap((each) => each ?? []) }
})

function branchText(
  { pushId, pushedBy: user, repository: of, commits }: z.output<typeof push>['resource'],
  update: { readonly oldObjectId: string; readonly newObjectId: string },
  branch: string,
): string {
  if (NONE.test(update.newObjectId)) return deletedBranchText(user, branch)
  if (commits.length === 0 && NONE.test(update.oldObjectId)) {
    const query = `?version=GB${encodeURIComponent(branch.toWellFormed())}`
    const page = within(of, '')
    return createdBranchText(user, branch, page && page.slice(0, -1) + query)
  }
  return pushText({
    ...{ user, branch, compareUrl: pushId === '' ? null : within(of, `pushes/${pushId}`) },
    commits: commits.map(({ commitId, comment, author }) => ({
      ...{ sha: commitId, url: within(of, `commit/${commitId}`), message: comment },
      author: author?.name || null,
    })),
  })
}

const pullRequest = z.looseObject({
  pullRequestId: z.number(),
  title: text,
  description: text,
  status: text,
  createdBy: person,
  closedBy: person.nullish(),
  sourceRefName: text,
  targetRefName: text,
  reviewers: listOf(z.looseObject({ displayName: text, vote: z.number().nullish() })),
  repository,
})
type PullRequest = z.output<typeof pullRequest>

const itemOf = (about: PullRequest): Item => ({
  ...{ kind: 'PR', number: about.pullRequestId, title: about.title },
  url: within(about.repository, `pullrequest/${about.pullRequestId}`),
})

/** What the short text of an event begins with: the payload has the person who acted nowhere else. */
const actorIn = (said: string): string | null =>
  /^(.{1,100}?) (?:has |pushed|updated|changed|marked|voted|approved|rejected|reactivated|abandoned|published)/.exec(
    said,
  )?.[1] ?? null

const pullRequestEvent = z.looseObject({
  message: z.looseObject({ text }).nullish(),
  resource: pullRequest,
})

const onPullRequest = on(pullRequestEvent, ({ payload, hasTopic }, event) => {
  const about = payload.resource
  const isCreated = event === 'git.pullrequest.created'
  const item = itemOf(about)
  const user = isCreated
    ? about.createdBy
    : (about.closedBy ?? actorIn(payload.message?.text ?? '') ?? about.createdBy)
  const said = itemText({
    ...{ user, action: actionOf(event, about.status), item, hasTopic },
    branches: isCreated
      ? { head: nameOfRef(about.sourceRefName), base: nameOfRef(about.targetRefName) }
      : null,
    assignees: isCreated ? about.reviewers.flatMap(({ displayName }) => displayName || []) : [],
    body: isCreated ? about.description : null,
  })
  return message(event, itemTopic(about.repository.name, item), said)
})

function actionOf(event: string, status: string): string {
  if (event === 'git.pullrequest.created') return 'created'
  if (event === 'git.pullrequest.merged') return status === 'completed' ? 'merged' : 'tried to merge'
  if (status === 'completed') return 'completed'
  return status === 'abandoned' ? 'abandoned' : 'updated'
}

const onComment = on(
  z.looseObject({
    resource: z.looseObject({
      comment: z.looseObject({ content: text, author: person, isDeleted: z.boolean().nullish() }),
      pullRequest,
    }),
  }),
  ({ payload, hasTopic }, event) => {
    const { comment, pullRequest: about } = payload.resource
    if (comment.isDeleted) return ignored
    const item = itemOf(about)
    const said = commentText({
      user: comment.author,
      url: item.url,
      target: itemLink(item, hasTopic),
      body: comment.content,
    })
    return message(event, itemTopic(about.repository.name, item), said)
  },
)

const RESULTS: ReadonlyMap<string, { readonly icon: string; readonly text: string }> = new Map([
  ['succeeded', { icon: ':check_mark: ', text: 'has succeeded' }],
  ['partiallysucceeded', { icon: ':warning: ', text: 'has partially succeeded' }],
  ['failed', { icon: ':cross_mark: ', text: 'has failed' }],
  ['canceled', { icon: '', text: 'was canceled' }],
  ['stopped', { icon: '', text: 'was stopped' }],
])

const onBuild = on(
  z.looseObject({
    resource: z.looseObject({
      buildNumber: text,
      // Newer versions have the former.
      result: text,
      status: text,
      definition: named,
      requestedFor: person.nullish(),
      requests: listOf(z.looseObject({ requestedFor: person })),
      sourceBranch: text,
      _links: z.looseObject({ web: z.looseObject({ href: url }).nullish() }).nullish(),
      url,
    }),
  }),
  ({ payload }, event) => {
    const { resource: build } = payload
    const result = build.result || build.status
    const name = build.definition?.name || 'Build'
    const page = build._links?.web?.href || build.url
    const branch = nameOfRef(build.sourceBranch)
    const user = build.requestedFor ?? build.requests[0]?.requestedFor
    const on = branch === '' ? '' : ` on branch ${inline(branch)}`
    const of = user === undefined ? '' : `, requested for ${inline(user)}`
    const { icon, text: ended } = RESULTS.get(result.toLowerCase()) ?? {
      icon: '',
      text: `has the result ${inline(result || '?')}`,
    }
    const content = `${icon}Build ${link(build.buildNumber || name, page)}${on} ${ended}${of}.`
    return message(event, `Build ${name}`, content)
  },
)

export const azureEvents: EventTable = new Map<string, EventHandler>([
  ['git.push', onPush],
  ['git.pullrequest.created', onPullRequest],
  ['git.pullrequest.updated', onPullRequest],
  ['git.pullrequest.merged', onPullRequest],
  ['ms.vss-code.git-pullrequest-comment-event', onComment],
  ['build.complete', onBuild],
  ['workitem.created', onWorkItem],
  ['workitem.updated', onWorkItem],
  ['workitem.deleted', onWorkItem],
  ['workitem.restored', onWorkItem],
  ['workitem.commented', onWorkItemComment],
])
