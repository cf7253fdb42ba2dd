import { z } from 'zod'
import { type IntegrationMessage, ignored, message, type Outcome } from '../../kernel/integration.ts'
import { type EventHandler, type EventTable, on } from '../../shared/event-table.ts'
import { listOf, text, url } from '../../shared/fields.ts'
import {
  branchTopic,
  commentText,
  commitLink,
  createdBranchText,
  deletedBranchText,
  type Item,
  isChosenBranch,
  itemLink,
  itemText,
  itemTopic,
  pushText,
  tagText,
} from '../../shared/git.ts'
import { inline, link } from '../../shared/markdown.ts'

const links = z
  .looseObject({ html: z.looseObject({ href: url }).nullish() })
  .nullish()
  .transform((value) => value?.html?.href)
/** Which of the names an account has depends on its age and its privacy. */
const person = z
  .looseObject({ display_name: text, nickname: text, username: text })
  .nullish()
  .transform((value) => value?.display_name || value?.nickname || value?.username || 'Someone')
const repository = z.looseObject({ name: z.string(), full_name: text, links })
const base = z.looseObject({ actor: person, repository })
const content = z
  .looseObject({ raw: text })
  .nullish()
  .transform((value) => value?.raw ?? '')

const commit = z.looseObject({
  hash: z.string(),
  message: text,
  links,
  author: z.looseObject({ raw: text, user: person.nullish() }).nullish(),
})
const side = z
  .looseObject({ name: z.string(), type: text, target: z.looseObject({ hash: text }).nullish(), links })
  .nullish()
const change = z.looseObject({
  old: side,
  new: side,
  created: z.boolean().nullish(),
  forced: z.boolean().nullish(),
  commits: listOf(commit),
  links,
})
type Change = z.output<typeof change>

const onPush = on(
  base.extend({ push: z.looseObject({ changes: z.array(change) }) }),
  ({ payload, parameters }, event) => {
    const made = payload.push.changes.map((each) => ofChange(each, payload, event, parameters['branches']))
    return { kind: 'messages', messages: made.flatMap((each) => each ?? []) }
  },
)

/** Null if the branch isn't chosen. */
function ofChange(
  about: Change,
  { actor, repository }: z.output<typeof base>,
  event: string,
  branches: string | undefined,
): IntegrationMessage | null {
  const ref = about.new ?? about.old
  if (!ref) return null
  const { name } = ref
  if (ref.type === 'tag')
    return {
      event,
      topic: repository.name,
      content: tagText(actor, about.new ? 'pushed' : 'removed', name, about.new?.links),
    }
  if (!isChosenBranch(name, branches)) return null
  return { event, topic: branchTopic(repository.name, name), content: branchText(about, actor, name) }
}

function branchText(about: Change, actor: string, branch: string): string {
  if (!about.new) return deletedBranchText(actor, branch, about.links)
  if (about.forced) {
    const head = about.new.target?.hash ?? ''
    return `${inline(actor)} ${link('force pushed', about.links)} to branch ${inline(branch)}. Head is now ${inline(head)}.`
  }
  if (about.commits.length === 0 && !about.old) return createdBranchText(actor, branch, about.new.links)
  const commits = about.commits.map(({ hash, message: text, links: address, author }) => ({
    ...{ sha: hash, url: address, message: text },
    // `Ada <ada@example.com>`, if the author has no account.
    author:
      author?.user && author.user !== 'Someone' ? author.user : author?.raw.split('<', 1)[0]?.trim() || null,
  }))
  return pushText({ user: actor, branch, compareUrl: about.links, commits })
}

const onFork = on(base.extend({ fork: z.looseObject({ full_name: text, links }) }), ({ payload }, event) => {
  const { actor, repository, fork } = payload
  const content = `${inline(actor)} forked the repository into ${link(fork.full_name || 'another', fork.links)}.`
  return message(event, repository.name, content)
})

const comment = z.looseObject({ content, links })

const onCommitComment = on(
  base.extend({ comment, commit: z.looseObject({ hash: z.string(), links }) }),
  ({ payload }, event) => {
    const { actor, repository, comment: about, commit: of } = payload
    const target = commitLink(of.hash, of.links)
    const said = commentText({ user: actor, url: about.links, target, body: about.content })
    return message(event, repository.name, said)
  },
)

const onCommitStatus = on(
  base.extend({
    commit_status: z.looseObject({
      key: text,
      url,
      state: text,
      links: z.looseObject({ commit: z.looseObject({ href: text }).nullish() }).nullish(),
    }),
  }),
  ({ payload }, event) => {
    const { repository, commit_status: status } = payload
    // The address of the API ends with the commit; its page is below the repository's.
    const sha = status.links?.commit?.href.split('/').at(-1) ?? ''
    const page = repository.links && sha !== '' ? `${repository.links}/commits/${sha}` : null
    const of = sha === '' ? 'a commit' : commitLink(sha, page)
    const content = `${link(`System ${status.key}`, status.url)} changed status of ${of} to ${inline(status.state)}.`
    return message(event, repository.name, content)
  },
)

const numbered = z.looseObject({ id: z.number(), title: text, links })

const issuePayload = base.extend({
  issue: numbered.extend({ content, assignee: person.nullish() }),
  comment: comment.nullish(),
})

const onIssue = on(issuePayload, ({ payload, hasTopic }, event) => {
  const { actor, repository, issue, comment: about } = payload
  const item: Item = { kind: 'issue', number: issue.id, title: issue.title, url: issue.links }
  const assignees = issue.assignee && issue.assignee !== 'Someone' ? [issue.assignee] : []
  const said =
    event === 'issue_commented'
      ? commentText({
          user: actor,
          url: about?.links,
          target: itemLink(item, hasTopic),
          body: about?.content,
        })
      : itemText({
          ...{
            user: actor,
            action: event === 'issue_created' ? 'created' : 'updated',
            item,
            hasTopic,
            assignees,
          },
          body: event === 'issue_created' ? issue.content : null,
        })
  return message(event, itemTopic(repository.name, item), said)
})

const branch = z.looseObject({ branch: z.looseObject({ name: text }).nullish() }).nullish()
const pullRequestPayload = base.extend({
  pullrequest: numbered.extend({
    description: text,
    source: branch,
    destination: branch,
    reviewers: listOf(person),
  }),
  comment: comment.nullish(),
})

const VERBS: ReadonlyMap<string, string> = new Map([
  ['pull_request_created', 'created'],
  ['pull_request_updated', 'updated'],
  ['pull_request_approved', 'approved'],
  ['pull_request_unapproved', 'unapproved'],
  ['pull_request_fulfilled', 'merged'],
  ['pull_request_rejected', 'rejected'],
  ['pull_request_comment_created', 'commented'],
  ['pull_request_comment_updated', 'updated a comment'],
  ['pull_request_comment_deleted', 'deleted a comment'],
])

const onPullRequest = on(pullRequestPayload, ({ payload, hasTopic }, event): Outcome => {
  const { actor, repository, pullrequest: about } = payload
  const item: Item = { kind: 'PR', number: about.id, title: about.title, url: about.links }
  const topic = itemTopic(repository.name, item)
  const verb = VERBS.get(event)
  if (verb === undefined) return ignored
  if (event.startsWith('pull_request_comment_')) {
    const target = itemLink(item, hasTopic)
    const of = payload.comment
    return message(
      event,
      topic,
      commentText({ user: actor, verb, url: of?.links, target, body: of?.content }),
    )
  }
  const isAboutContent = event === 'pull_request_created' || event === 'pull_request_updated'
  const said = itemText({
    ...{ user: actor, action: verb, item, hasTopic },
    branches: isAboutContent
      ? { head: about.source?.branch?.name ?? '', base: about.destination?.branch?.name ?? '' }
      : null,
    assignees: isAboutContent ? about.reviewers : [],
    body: isAboutContent ? about.description : null,
  })
  return message(event, topic, said)
})

const value = z.looseObject({ old: z.string().nullish(), new: z.string().nullish() })

const onRepositoryUpdated = on(
  base.extend({ changes: z.record(z.string(), z.unknown()).nullish() }),
  ({ payload }, event) => {
    const { actor, repository, changes } = payload
    const lines = Object.entries(changes ?? {}).flatMap(([name, each]) => {
      const { success, data } = value.safeParse(each)
      // Links and names of the owner follow the name.
      if (!success || name === 'full_name') return []
      const [from, to] = [data.old, data.new].map((side) => `**${inline(side || 'nothing')}**`)
      return [
        `${inline(actor)} changed the ${inline(name)} of the **${inline(repository.name)}** repository from ${from} to ${to}.`,
      ]
    })
    return lines.length === 0 ? ignored : message(event, repository.name, lines.slice(0, 20).join('\n'))
  },
)

export const cloudEvents: EventTable = new Map<string, EventHandler>([
  ['push', onPush],
  ['fork', onFork],
  ['commit_comment', onCommitComment],
  ['change_commit_status', onCommitStatus],
  ...['issue_created', 'issue_updated', 'issue_commented'].map((event) => [event, onIssue] as const),
  ...[...VERBS.keys()].map((event) => [event, onPullRequest] as const),
  ['repo:updated', onRepositoryUpdated],
])
