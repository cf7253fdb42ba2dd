import { z } from 'zod'
import { ignored, message, type Outcome, unsupported } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { commentText, itemLink, itemText, itemTopic, withQuote } from '../../shared/git.ts'
import { code, inline, link, list } from '../../shared/markdown.ts'
import { account, base, changes, comment, commentVerb, itemOf, pullRequest, text } from './payloads.ts'

const changed = base.extend({
  action: z.string(),
  pull_request: pullRequest,
  changes,
  assignee: account.nullish(),
  requested_reviewer: account.nullish(),
  requested_team: z.looseObject({ name: text, html_url: z.string().nullish() }).nullish(),
})
type Changed = z.output<typeof changed>

/** Said by other events, or of interest to few. */
const IGNORED_ACTIONS: ReadonlySet<string> = new Set([
  'approved',
  'converted_to_draft',
  'demilestoned',
  'dequeued',
  'enqueued',
  'labeled',
  'milestoned',
  'review_request_removed',
  'unlabeled',
])

export const onPullRequest = on(changed, ({ payload, hasTopic }) => {
  const said = textOf(payload, hasTopic)
  if (said) {
    const topic = itemTopic(payload.repository.name, itemOf('PR', payload.pull_request))
    return message(said.event, topic, said.content)
  }
  return IGNORED_ACTIONS.has(payload.action) ? ignored : unsupported(`pull_request ${payload.action}`)
})

interface Said {
  readonly event: string
  readonly content: string
}

function textOf(payload: Changed, hasTopic: boolean): Said | null {
  const { action, sender, pull_request: about, assignee } = payload
  const item = itemOf('PR', about)
  const said = (event: string, verb: string, rest = ''): Said => ({
    event,
    content: itemText({ user: sender.login, action: verb, item, hasTopic, rest }),
  })
  switch (action) {
    case 'opened':
    case 'edited':
    case 'reopened':
    case 'synchronize':
      return { event: 'opened_or_update_pull_request', content: updateText(payload, hasTopic) }
    case 'assigned':
      return said(`assigned_or_unassigned_pull_request`, 'assigned', `to ${inline(assignee?.login ?? '?')}`)
    case 'unassigned':
      return said(
        `assigned_or_unassigned_pull_request`,
        assignee ? `unassigned ${inline(assignee.login)} from` : 'unassigned',
      )
    case 'closed':
      return said('closed_pull_request', about.merged ? 'merged' : 'closed without merge')
    case 'review_requested':
      return said('pull_request_review_requested', `requested a review by ${reviewerOf(payload)} of`)
    case 'ready_for_review':
      return said('pull_request_ready_for_review', 'marked', 'as ready for review')
    case 'locked':
    case 'unlocked':
      return said('locked_or_unlocked_pull_request', action)
    case 'auto_merge_enabled':
    case 'auto_merge_disabled':
      return said('pull_request_auto_merge', `${action.replace('auto_merge_', '')} auto-merge of`)
    default:
      return null
  }
}

function updateText(
  { action, sender, pull_request: about, changes: before }: Changed,
  hasTopic: boolean,
): string {
  const isBodyNew = action === 'opened' || (action === 'edited' && Object.hasOwn(before ?? {}, 'body'))
  return itemText({
    user: sender.login,
    action: action === 'synchronize' ? 'updated' : action,
    item: itemOf('PR', about),
    hasTopic,
    branches: { head: about.head.ref, base: about.base.ref },
    assignees: about.assignees.map(({ login }) => login),
    body: isBodyNew ? about.body : null,
  })
}

function reviewerOf({ requested_reviewer: person, requested_team: team }: Changed): string {
  const names = [
    ...(person ? [link(person.login, person.html_url)] : []),
    ...(team ? [`team ${link(team.name, team.html_url)}`] : []),
  ]
  return names.length === 0 ? 'somebody' : list(names)
}

const review = base.extend({
  action: z.string(),
  pull_request: pullRequest.omit({ head: true, base: true, merged: true }),
  review: comment.extend({ state: text }),
})

const REVIEW_VERBS = new Map([
  ['approved', ['approved', '']],
  ['changes_requested', ['requested changes', ' to']],
])

export const onReview = on(review, ({ payload, hasTopic }, event): Outcome => {
  const { action, sender, repository, pull_request: about, review: given } = payload
  const item = itemOf('PR', about)
  const [verb, preposition] =
    action === 'dismissed'
      ? ['dismissed a review', ' of']
      : action === 'edited'
        ? ['edited a review', ' of']
        : (REVIEW_VERBS.get(given.state.toLowerCase()) ?? ['reviewed', ''])
  const start = `${inline(sender.login)} ${link(verb ?? '', given.html_url)}${preposition}`
  const content = withQuote(`${start} ${itemLink(item, hasTopic)}`, given.body, hasTopic ? item.title : '')
  return message(event, itemTopic(repository.name, item), content)
})

const reviewComment = base.extend({
  action: z.string(),
  pull_request: pullRequest.omit({ head: true, base: true, merged: true }),
  comment: comment.extend({ path: text }),
})

export const onReviewComment = on(reviewComment, ({ payload, hasTopic }, event) => {
  const { action, sender, repository, comment: about } = payload
  const item = itemOf('PR', payload.pull_request)
  const file = code(about.path)
  const content = commentText({
    user: sender.login,
    verb: commentVerb(action),
    url: about.html_url,
    target: file === '' ? itemLink(item, hasTopic) : `${file} in ${itemLink(item, hasTopic)}`,
    body: about.body,
  })
  return message(event, itemTopic(repository.name, item), content)
})
