import { z } from 'zod'
import { message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { attributeText, commentText, itemLink, itemText, itemTopic } from '../../shared/git.ts'
import { inline, link } from '../../shared/markdown.ts'
import { account, base, changes, comment, commentVerb, issue, itemOf, spaced, text, url } from './payloads.ts'

const changed = base.extend({
  action: z.string(),
  issue,
  changes,
  assignee: account.nullish(),
  label: z.looseObject({ name: text }).nullish(),
  milestone: z.looseObject({ title: text, html_url: url }).nullish(),
})
type Changed = z.output<typeof changed>

export const onIssue = on(changed, ({ payload, hasTopic }) => {
  const topic = itemTopic(payload.repository.name, itemOf('issue', payload.issue))
  const { action } = payload
  switch (action) {
    case 'labeled':
    case 'unlabeled':
      return message('issue_labeled_or_unlabeled', topic, labelText(payload, hasTopic))
    case 'milestoned':
    case 'demilestoned':
      return message('issue_milestoned_or_demilestoned', topic, milestoneText(payload, hasTopic))
    default:
      return message('issues', topic, issueText(payload, hasTopic))
  }
})

function labelText({ action, sender, issue: about, label }: Changed, hasTopic: boolean): string {
  const isAdded = action === 'labeled'
  return attributeText({
    user: sender.login,
    userUrl: sender.html_url,
    action: isAdded ? 'added' : 'removed',
    what: `the ${inline(label?.name ?? '')} label`,
    preposition: isAdded ? 'to' : 'from',
    item: itemOf('issue', about),
    hasTopic,
  })
}

function milestoneText({ action, sender, issue: about, milestone }: Changed, hasTopic: boolean): string {
  return attributeText({
    user: sender.login,
    userUrl: sender.html_url,
    action,
    what: `milestone ${link(milestone?.title ?? '', milestone?.html_url)}`,
    preposition: action === 'milestoned' ? 'to' : 'from',
    item: itemOf('issue', about),
    hasTopic,
  })
}

function issueText(
  { action, sender, issue: about, changes: before, assignee }: Changed,
  hasTopic: boolean,
): string {
  const user = sender.login
  const item = itemOf('issue', about)
  if (action === 'assigned' && assignee)
    return itemText({ user, action, item, hasTopic, rest: `to ${inline(assignee.login)}` })
  if (action === 'unassigned' && assignee)
    return itemText({ user, action: `unassigned ${inline(assignee.login)} from`, item, hasTopic })
  const isBodyNew = action === 'opened' || (action === 'edited' && Object.hasOwn(before ?? {}, 'body'))
  return itemText({
    user,
    action: inline(spaced(action)),
    item,
    hasTopic,
    assignees: about.assignees.map(({ login }) => login),
    body: isBodyNew ? about.body : null,
  })
}

const commented = base.extend({ action: z.string(), issue, comment })

/** Comments on pull requests come as this event too. */
export const onIssueComment = on(commented, ({ payload, hasTopic }, event) => {
  const { action, sender, repository, comment: about } = payload
  const item = itemOf(payload.issue.pull_request ? 'PR' : 'issue', payload.issue)
  const content = commentText({
    user: sender.login,
    verb: commentVerb(action),
    url: about.html_url,
    target: itemLink(item, hasTopic),
    body: about.body,
  })
  return message(event, itemTopic(repository.name, item), content)
})

const discussion = z.looseObject({
  number: z.int(),
  title: text,
  html_url: url,
  body: text,
  category: z.looseObject({ name: text }).nullish(),
})

const discussionTopic = (repository: string, { number, title }: z.output<typeof discussion>): string =>
  `${repository} discussion #${number}: ${title}`

const itemOfDiscussion = ({ number, title, html_url }: z.output<typeof discussion>) => ({
  kind: 'discussion',
  number,
  title,
  url: html_url,
})

export const onDiscussion = on(
  base.extend({ action: z.string(), discussion }),
  ({ payload, hasTopic }, event) => {
    const { action, sender, repository, discussion: about } = payload
    const category = about.category?.name ?? ''
    const content = itemText({
      user: sender.login,
      action: inline(spaced(action)),
      item: itemOfDiscussion(about),
      hasTopic,
      rest: category === '' ? '' : `in ${inline(category)}`,
      body: action === 'created' ? about.body : null,
    })
    return message(event, discussionTopic(repository.name, about), content)
  },
)

export const onDiscussionComment = on(
  base.extend({ action: z.string(), discussion, comment }),
  ({ payload, hasTopic }, event) => {
    const { action, sender, repository, discussion: about } = payload
    const content = commentText({
      user: sender.login,
      verb: commentVerb(action),
      url: payload.comment.html_url,
      target: itemLink(itemOfDiscussion(about), hasTopic),
      body: payload.comment.body,
    })
    return message(event, discussionTopic(repository.name, about), content)
  },
)
