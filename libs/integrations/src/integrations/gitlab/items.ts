import { z } from 'zod'
import { message, unsupported } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { commentText, commitLink, type Item, itemLink, itemText, itemTopic } from '../../shared/git.ts'
import { inline, link } from '../../shared/markdown.ts'
import { base, people, text, url, within } from './payloads.ts'

const item = z.looseObject({ iid: z.int(), title: text, url })

/** What is said of an action; an event without one says that something is new. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['open', 'created'],
  ['close', 'closed'],
  ['reopen', 'reopened'],
  ['update', 'updated'],
  ['merge', 'merged'],
  ['approved', 'approved'],
  ['approval', 'approved'],
  ['unapproved', 'unapproved'],
  ['unapproval', 'unapproved'],
])

export const ISSUE_ACTIONS = ['open', 'close', 'reopen', 'update'] as const
const isIssueAction = (action: string): boolean => (ISSUE_ACTIONS as readonly string[]).includes(action)

const action = z
  .string()
  .nullish()
  .transform((value) => value || 'open')

const issueChange = base.extend({
  object_attributes: item.extend({ action, description: text }),
  assignees: people,
})

export const onIssue = on(issueChange, ({ payload, hasTopic }, header) => {
  const { user, project, object_attributes: about, assignees } = payload
  const event = `${header} ${about.action}`
  if (!isIssueAction(about.action)) return unsupported(event)
  const issue: Item = { kind: 'issue', number: about.iid, title: about.title, url: about.url }
  const content = itemText({
    user: user.name,
    action: VERBS.get(about.action) ?? '',
    item: issue,
    hasTopic,
    assignees: about.action === 'open' ? assignees : [],
    body: about.action === 'open' ? about.description : null,
  })
  return message(event, itemTopic(project.name, issue), content)
})

const mergeRequestChange = base.extend({
  object_attributes: item.extend({
    action,
    description: text,
    source_branch: text,
    target_branch: text,
    oldrev: text,
  }),
  assignees: people,
})

export const MERGE_REQUEST_ACTIONS = [
  ...ISSUE_ACTIONS,
  'merge',
  'approved',
  'unapproved',
] as const satisfies readonly string[]

export const onMergeRequest = on(mergeRequestChange, ({ payload, hasTopic, parameters }, header) => {
  const { user, project, object_attributes: about, assignees } = payload
  const verb = VERBS.get(about.action)
  if (verb === undefined) return unsupported(`${header} ${about.action}`)
  const isNew = about.action === 'open'
  const hasCommits = about.action === 'update' && about.oldrev !== ''
  const request: Item = { kind: 'MR', number: about.iid, title: about.title, url: about.url }
  const content = itemText({
    user: user.name,
    action: hasCommits ? 'added commit(s) to' : verb,
    item: request,
    hasTopic,
    branches: isNew ? { head: about.source_branch, base: about.target_branch } : null,
    assignees: isNew ? assignees : [],
    body: isNew ? about.description : null,
  })
  const event = `${header} ${about.action.replace(/approval$/, 'approved')}`
  return message(event, mergeRequestTopic(project.name, request, parameters), content)
})

function mergeRequestTopic(
  project: string,
  request: Item,
  parameters: Readonly<Partial<Record<string, string>>>,
): string {
  const isTitled = parameters.use_merge_request_title !== 'false'
  return itemTopic(project, isTitled ? request : { ...request, title: '' })
}

const note = base.extend({
  object_attributes: z.looseObject({ note: text, noteable_type: z.string(), url }),
  commit: z.looseObject({ id: z.string(), url }).nullish(),
  issue: item.nullish(),
  merge_request: item.nullish(),
  snippet: z.looseObject({ id: z.int(), title: text, url }).nullish(),
})
type Note = z.output<typeof note>

export const NOTEABLE_TYPES = ['Commit', 'MergeRequest', 'Issue', 'Snippet'] as const

export const onNote = on(note, ({ payload, hasTopic, parameters }, header) => {
  const { user, project, commit, object_attributes: about } = payload
  const event = `${header} ${about.noteable_type}`
  const noted = itemOfNote(payload)
  const said = (target: string): string =>
    commentText({ user: user.name, url: about.url, target, body: about.note })
  if (noted) {
    const topic =
      noted.kind === 'MR'
        ? mergeRequestTopic(project.name, noted, parameters)
        : itemTopic(project.name, noted)
    return message(event, topic, said(itemLink(noted, hasTopic)))
  }
  if (about.noteable_type !== 'Commit' || !commit) return unsupported(event)
  const address = commit.url || within(project, `commit/${commit.id}`)
  return message(event, project.name, said(commitLink(commit.id, address)))
})

function itemOfNote({ object_attributes: about, issue, merge_request: request, snippet }: Note): Item | null {
  const itemOf = (
    kind: string,
    { title, ...each }: { title: string; url?: string | null | undefined },
    number: number,
  ) => ({
    kind,
    number,
    title,
    // Some versions leave out the address; the comment's is that of what it is on, with a fragment.
    url: each.url || about.url?.split('#', 1)[0],
  })
  if (about.noteable_type === 'Issue' && issue) return itemOf('issue', issue, issue.iid)
  if (about.noteable_type === 'MergeRequest' && request) return itemOf('MR', request, request.iid)
  if (about.noteable_type === 'Snippet' && snippet) return itemOf('snippet', snippet, snippet.id)
  return null
}

const wikiPage = base.extend({ object_attributes: z.looseObject({ title: text, url, action: text }) })

const WIKI_VERBS: ReadonlyMap<string, string> = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['delete', 'deleted'],
])
export const WIKI_ACTIONS: readonly string[] = [...WIKI_VERBS.keys()]

export const onWikiPage = on(wikiPage, ({ payload }, header) => {
  const { user, project, object_attributes: about } = payload
  const event = `${header} ${about.action}`
  const verb = WIKI_VERBS.get(about.action)
  if (verb === undefined) return unsupported(event)
  const content = `${inline(user.name)} ${verb} the wiki page ${link(about.title, about.url)}.`
  return message(event, project.name, content)
})
