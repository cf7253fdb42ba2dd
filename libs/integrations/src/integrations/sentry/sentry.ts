import { z } from 'zod'
import { defineIntegration, ignored, message, type Outcome, unsupported } from '../../kernel/integration.ts'
import { PayloadError } from '../../kernel/payload-error.ts'
import { text, url } from '../../shared/fields.ts'
import { inline, link, quote, sentence } from '../../shared/markdown.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { time } from '../../shared/times.ts'
import { event, eventText, isException } from './events.ts'

const owner = z.looseObject({ type: text, name: text }).nullish()
const issue = z.looseObject({
  title: text,
  level: text,
  firstSeen: text,
  lastSeen: text,
  assignedTo: owner,
  web_url: url,
  permalink: url,
})
type Issue = z.output<typeof issue>
type Actor = z.output<typeof owner>

const payload = z.looseObject({
  action: text,
  actor: owner,
  data: z
    .looseObject({
      event: event.nullish(),
      error: event.nullish(),
      issue: issue.nullish(),
      installation: z.looseObject({}).nullish(),
      metric_alert: z.looseObject({}).nullish(),
      description_title: text,
      description_text: text,
      web_url: url,
      triggered_rule: text,
    })
    .nullish(),
  // Of the plugin.
  event: event.nullish(),
  url,
  project_name: text,
  level: text,
  message: text,
})
type Payload = z.output<typeof payload>

export const sentry = defineIntegration({
  name: 'sentry',
  displayName: 'Sentry',
  description: 'New exceptions, alerts and issues of Sentry’s projects.',
  setup: `In Sentry, open **Settings**, **Custom Integrations**, **Create New Integration**, **Internal Integration**:

1. **Webhook URL**: \`{url}\`
2. Turn on **Alert Rule Action**, so that alert rules can name the integration as an action.
3. For issues as well: under **Permissions**, **Issue & Event**: Read; under **Webhooks**, check **issue**.
4. After saving, the **Client Secret** is the \`webhook_secret\` for the address.

For the plugin **WebHooks** of a project, enter \`{url}\` as its callback URL.`,
  events: [
    ...['exception', 'message', 'metric_alert', 'notice'],
    ...['issue_created', 'issue_assigned', 'issue_resolved', 'issue_ignored'],
  ],
  signature: hmacOfBody('sentry-hook-signature'),
  payload,
  deliveryId: ({ action, data, event: plugin }) => {
    const about = data?.event ?? data?.error ?? plugin
    return about?.event_id ? [action, about.event_id, data?.triggered_rule ?? ''].join(' ').trim() : null
  },
  format: ({ payload }) => {
    const { data, action } = payload
    const about = data?.event ?? data?.error ?? payload.event
    if (about?.event_id) {
      const name = isException(about) ? 'exception' : 'message'
      return message(name, about.title || 'Sentry', eventText(about, about.web_url || payload.url))
    }
    if (data?.issue) return ofIssue(data.issue, payload)
    if (data?.metric_alert) return ofMetricAlert(data, action)
    if (data?.installation) return ignored
    if (payload.message !== '') return notice(payload)
    if (action !== '') return unsupported(action)
    throw new PayloadError('event: missing, as are data.event and data.issue')
  },
})

/** What old versions send, which know no ID of the event. */
function notice({ project_name: project, level, url: address, message: text }: Payload): Outcome {
  const about = link('issue', address)
  return message(
    'notice',
    project || 'Sentry',
    `New ${inline(level)} ${about}: ${sentence(inline(text))}`.replace('  ', ' '),
  )
}

function ofIssue(about: Issue, { action, actor }: Payload): Outcome {
  const title = about.title || 'Issue'
  const name = `**${link(title, about.web_url || about.permalink)}**`
  const by = actor?.name ? ` by **${inline(actor.name)}**` : ''
  switch (action) {
    case 'created':
      return message('issue_created', title, createdText(about, title))
    case 'assigned':
      return message(
        'issue_assigned',
        title,
        `Issue ${name} was assigned to **${assigneeOf(about.assignedTo)}**${by}.`,
      )
    case 'resolved':
      return message('issue_resolved', title, `Issue ${name} was marked as resolved${by}.`)
    // Newer versions call it archived.
    case 'ignored':
    case 'archived':
      return message('issue_ignored', title, `Issue ${name} was marked as ignored${by}.`)
    default:
      return unsupported(`issue ${action}`)
  }
}

function createdText(about: Issue, title: string): string {
  const lines = [
    `**level:** ${inline(about.level || '?')}`,
    `**timestamp:** ${time(about.firstSeen || about.lastSeen) ?? '?'}`,
    `**assignee:** ${assigneeOf(about.assignedTo)}`,
  ]
  return `**New issue created:** ${link(title, about.web_url || about.permalink)}\n\n${quote(lines.join('\n'))}`
}

const assigneeOf = (assignee: Actor): string => {
  if (!assignee?.name) return 'No one'
  return assignee.type === 'team' ? `team ${inline(assignee.name)}` : inline(assignee.name)
}

function ofMetricAlert(data: NonNullable<Payload['data']>, action: string): Outcome {
  const title = data.description_title || 'Metric alert'
  const icon = action === 'resolved' ? ':squared_ok:' : ':alert:'
  const head = `${icon} **${inline(action).toUpperCase()}** ${link(title, data.web_url)}`
  const described = data.description_text === '' ? '' : `\n\n${quote(data.description_text)}`
  // The state is in the title too, and all of an alert belongs into one topic.
  return message('metric_alert', title.replace(/^(Critical|Warning|Resolved): /, ''), head + described)
}
