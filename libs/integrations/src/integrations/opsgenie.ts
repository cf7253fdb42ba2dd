import { z } from 'zod'
import { defineIntegration, message, unsupported } from '../kernel/integration.ts'
import { listOf, text } from '../shared/fields.ts'
import { code, inline, link, list, quote } from '../shared/markdown.ts'

const payload = z.looseObject({
  action: z.string(),
  integrationName: text,
  alert: z.looseObject({
    alertId: text,
    message: text,
    description: text,
    note: text,
    tags: listOf(text),
    addedTags: text,
    removedTags: text,
    username: text,
    recipient: text,
    team: text,
    owner: text,
    priority: text,
    oldPriority: text,
    source: text,
  }),
})
type Alert = z.output<typeof payload>['alert']

/** What somebody did with an alert: the words before its name, and those after it; Markdown. */
type Words = (alert: Alert) => readonly [before: string, after?: string]
const ACTIONS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['Create', ({ priority }) => ['created', priority === '' ? '' : ` (**${inline(priority)}**)`]],
  ['Close', () => ['closed']],
  ['Delete', () => ['deleted']],
  ['Acknowledge', () => ['acknowledged']],
  ['UnAcknowledge', () => ['withdrew the acknowledgement of']],
  ['Snooze', () => ['snoozed']],
  ['Escalate', () => ['escalated']],
  ['AddNote', () => ['added a note to']],
  ['AddRecipient', ({ recipient }) => [`added the recipient ${name(recipient)} to`]],
  ['AddTeam', ({ team }) => [`added the team ${name(team)} to`]],
  ['AddTags', ({ addedTags, tags }) => ['added tags to', `: ${tagList(addedTags || tags.join(','))}`]],
  ['RemoveTags', ({ removedTags }) => ['removed tags from', `: ${tagList(removedTags)}`]],
  ['AssignOwnership', ({ owner }) => ['assigned', ` to ${name(owner)}`]],
  ['TakeOwnership', () => ['took']],
  [
    'UpdatePriority',
    ({ priority, oldPriority }) => [
      'changed the priority of',
      ` from ${name(oldPriority)} to ${name(priority)}`,
    ],
  ],
  ['CustomAction', () => ['started an action on']],
])

/** Those that begin and end an alert, and are to be seen at a glance. */
const ICONS: ReadonlyMap<string, string> = new Map([
  ['Create', ':alert: '],
  ['Close', ':squared_ok: '],
])

const name = (text: string): string => `**${inline(text || '?')}**`

const tagList = (tags: string): string =>
  list(
    tags
      .split(',')
      .flatMap((tag) => code(tag) || [])
      .slice(0, 20),
  )

export const opsgenie = defineIntegration({
  name: 'opsgenie',
  displayName: 'Opsgenie',
  description: 'Alerts that are created, acknowledged, escalated, annotated and closed.',
  setup: `In Opsgenie, open **Settings**, **Integrations**, **Add integration**, **Webhook**:

1. **Webhook URL**: \`{url}\`
2. Check **Add alert description to payload**, and choose the actions under **Alert actions**.
3. Turn the integration on.`,
  events: [...ACTIONS.keys()],
  payload,
  format: ({ payload }) => {
    const { action, alert, integrationName } = payload
    const describe = ACTIONS.get(action)
    if (!describe) return unsupported(action)
    const title = alert.message || 'Alert'
    const address =
      alert.alertId === ''
        ? null
        : `https://app.opsgenie.com/alert/detail/${encodeURIComponent(alert.alertId.toWellFormed())}/details`
    const [before, after = ''] = describe(alert)
    const user = inline(alert.username || alert.source || integrationName || 'Somebody')
    const head = `${ICONS.get(action) ?? ''}${user} ${before} ${link(title, address)}${after}`
    const tags =
      action === 'Create' && alert.tags.length > 0 ? `\nTags: ${tagList(alert.tags.join(','))}` : ''
    const said = action === 'Create' ? alert.description : alert.note
    const details = said === '' ? '' : `\n\n${quote(said)}`
    return message(action, alert.message || integrationName || 'Opsgenie', `${head}.${tags}${details}`)
  },
})
