import { z } from 'zod'
import { defineIntegration, ignored, message, type Outcome, unsupported } from '../../kernel/integration.ts'
import { PayloadError } from '../../kernel/payload-error.ts'
import { listOf, text } from '../../shared/fields.ts'
import { inline, link, quote } from '../../shared/markdown.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { jiraMarkup } from './markup.ts'

const person = z.looseObject({ displayName: text, name: text }).nullish()
const comment = z.looseObject({ body: z.unknown().optional(), author: person, updateAuthor: person })
const payload = z.looseObject({
  webhookEvent: text,
  issue_event_type_name: text,
  user: person,
  issue: z
    .looseObject({
      key: z.string(),
      self: text,
      fields: z
        .looseObject({ summary: text, priority: z.looseObject({ name: text }).nullish(), assignee: person })
        .nullish(),
    })
    .nullish(),
  comment: comment.nullish(),
  // `toString` is among its fields, which every object has in some form.
  changelog: z.looseObject({ items: listOf(z.record(z.string(), z.unknown())) }).nullish(),
  transition: z.looseObject({}).nullish(),
})
type Payload = z.output<typeof payload>
type Issue = NonNullable<Payload['issue']>

const EVENTS = [
  ...['jira:issue_created', 'jira:issue_updated', 'jira:issue_deleted'],
  ...['comment_created', 'comment_updated', 'comment_deleted'],
]
/** Known, and of interest to nobody in a conversation. */
const IGNORED =
  /^(attachment|issuelink|issue_property|sprint|jira:version|worklog|jira:worklog|user|option|board|project|board_configuration)_/

export const jira = defineIntegration({
  name: 'jira',
  displayName: 'Jira',
  description: 'Issues that are created, changed or deleted, and comments on them; Cloud and Data Center.',
  setup: `In Jira, as an administrator, open **System**, **WebHooks**, **Create a WebHook**:

1. **URL**: \`{url}\`
2. **Secret**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
3. **Events**: under **Issue** and **Comment**, *created*, *updated* and *deleted*. A JQL query limits them to some issues.`,
  events: EVENTS,
  deliveryIdHeader: 'x-atlassian-webhook-identifier',
  signature: hmacOfBody('x-hub-signature', 'sha256='),
  encodesAddressAgain: true,
  payload,
  format: ({ payload }) => {
    const event = payload.webhookEvent || (payload.transition ? 'jira:issue_updated' : '')
    if (event === '') throw new PayloadError('webhookEvent: missing', { code: 'ANOMALOUS_WEBHOOK_PAYLOAD' })
    if (!EVENTS.includes(event)) return IGNORED.test(event) ? ignored : unsupported(event)
    const { issue } = payload
    if (!issue) throw new PayloadError('issue: missing')
    return about(issue, event, payload)
  },
})

function about(issue: Issue, event: string, payload: Payload): Outcome {
  const summary = issue.fields?.summary ?? ''
  const topic = summary === '' ? issue.key : `${issue.key}: ${summary}`
  const actor = nameOf(payload.user)
  const name = link(topic, addressOf(issue))
  switch (event) {
    case 'jira:issue_created': {
      const { priority, assignee } = issue.fields ?? {}
      const bullets = [
        `* **Priority**: ${inline(priority?.name || 'none')}`,
        `* **Assignee**: ${nameOf(assignee, 'no one')}`,
      ]
      return message(event, topic, `${actor} created ${name}:\n\n${bullets.join('\n')}`)
    }
    case 'jira:issue_deleted':
      return message(event, topic, `${actor} deleted ${name}.`)
    case 'jira:issue_updated':
      return message(event, topic, updatedText(issue, name, payload))
    default:
      return message(event, topic, commentText(event, summary || issue.key, payload))
  }
}

const COMMENTS: ReadonlyMap<string, string> = new Map([
  ['issue_commented', 'commented on'],
  ['issue_comment_edited', 'edited a comment on'],
  ['issue_comment_deleted', 'deleted a comment from'],
])

/** Old versions send comments as updates of the issue. */
function updatedText({ fields }: Issue, name: string, payload: Payload): string {
  const verb = COMMENTS.get(payload.issue_event_type_name)
  const assignee = fields?.assignee ? ` (assigned to **${nameOf(fields.assignee)}**)` : ''
  const head = `${nameOf(payload.user ?? payload.comment?.author)} ${verb ?? 'updated'} ${name}${assignee}`
  const details = verb === undefined ? '' : bodyOf(payload)
  if (details !== '') return `${head}:\n\n${quote(details)}`
  const changes = (payload.changelog?.items ?? []).slice(0, MAX_CHANGES).map(changeOf)
  return changes.length === 0 || verb !== undefined ? `${head}.` : `${head}:\n\n${changes.join('\n')}`
}

const MAX_CHANGES = 20

function changeOf(item: Readonly<Record<string, unknown>>): string {
  const field = (name: string): string => {
    const value = Object.hasOwn(item, name) ? item[name] : ''
    // A description that changed is as long as it is.
    return typeof value === 'string' ? inline(value.slice(0, MAX_VALUE_LENGTH)) : ''
  }
  const [from, to] = [field('fromString'), field('toString')]
  const start = `* Changed ${field('field') || 'a field'}`
  return `${start}${from === '' ? '' : ` from **${from}**`}${to === '' ? ' to nothing' : ` to **${to}**`}`
}

const MAX_VALUE_LENGTH = 300

function commentText(event: string, summary: string, payload: Payload): string {
  const { comment } = payload
  const [verb, author] =
    event === 'comment_created'
      ? ['commented on', comment?.author]
      : event === 'comment_updated'
        ? ['updated a comment on', comment?.updateAuthor ?? comment?.author]
        : ['deleted a comment on', payload.user ?? comment?.updateAuthor ?? comment?.author]
  const head = `${nameOf(author)} ${verb} issue: *"${inline(summary)}"*`
  const body = bodyOf(payload)
  if (body === '') return head
  return `${head}\n\n${event === 'comment_deleted' ? quote(struckThrough(body)) : quote(body)}`
}

const struckThrough = (body: string): string =>
  body
    .split('\n')
    .map((line) => (line.trim() === '' || /^\s*[`~]{3}/.test(line) ? line : `~~${line.trim()}~~`))
    .join('\n')

/** A text; the newest form of Jira's documents, an object, isn't read. */
const bodyOf = ({ comment }: Payload): string =>
  typeof comment?.body === 'string' ? jiraMarkup(comment.body) : ''

const nameOf = (someone: z.output<typeof person>, otherwise = 'Someone'): string =>
  inline(someone?.displayName || someone?.name || otherwise)

/** The page of an issue is beside the API that `self` is an address of. */
function addressOf({ key, self }: Issue): string | null {
  const end = self.indexOf('/rest/api/')
  return end < 0 ? null : `${self.slice(0, end)}/browse/${encodeURIComponent(key.toWellFormed())}`
}
