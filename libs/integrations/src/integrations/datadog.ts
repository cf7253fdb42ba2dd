import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { text, url } from '../shared/fields.ts'
import { code, inline, link, quote } from '../shared/markdown.ts'

/** Transitions of a monitor, with their names in the filter. */
const TRANSITIONS: ReadonlyMap<string, { event: string; icon: string }> = new Map([
  ['triggered', { event: 'triggered', icon: ':alert:' }],
  ['re-triggered', { event: 'triggered', icon: ':alert:' }],
  ['warn', { event: 'warned', icon: ':warning:' }],
  ['re-warn', { event: 'warned', icon: ':warning:' }],
  ['no data', { event: 'no_data', icon: ':question:' }],
  ['re-no data', { event: 'no_data', icon: ':question:' }],
  ['renotify', { event: 'triggered', icon: ':alert:' }],
  ['recovered', { event: 'recovered', icon: ':squared_ok:' }],
  ['warn recovered', { event: 'recovered', icon: ':squared_ok:' }],
])

export const datadog = defineIntegration({
  name: 'datadog',
  displayName: 'Datadog',
  description: 'Monitors that trigger, warn and recover, and other events.',
  setup: `In Datadog, open **Integrations**, **Webhooks**, **New**, with **URL** \`{url}\` and **Payload**:

\`\`\`json
{
  "id": "$ID",
  "title": "$EVENT_TITLE",
  "body": "$TEXT_ONLY_MSG",
  "transition": "$ALERT_TRANSITION",
  "monitor": "$ALERT_TITLE",
  "scope": "$ALERT_SCOPE",
  "priority": "$ALERT_PRIORITY",
  "link": "$LINK"
}
\`\`\`

Then mention the webhook, as \`@webhook-…\`, in the message of each monitor.`,
  events: ['triggered', 'warned', 'no_data', 'recovered', 'event'],
  payload: z.looseObject({
    id: text,
    title: text,
    body: text,
    transition: text,
    monitor: text,
    scope: text,
    priority: text,
    link: url,
  }),
  deliveryId: ({ id, transition }) => (id === '' || id.startsWith('$') ? null : `${id} ${transition}`),
  format: ({ payload }) => {
    const { title, body, transition, monitor, scope, priority, link: address } = payload
    const known = TRANSITIONS.get(transition.toLowerCase())
    const name = monitor || title || 'Datadog'
    const details = body.trim() === '' ? '' : `\n\n${quote(body)}`
    if (!known) return message('event', name, link(title || name, address) + details)
    const about = [
      `${known.icon} **${inline(transition).toUpperCase()}** ${link(name, address)}`,
      ...(priority === '' ? [] : [`(${inline(priority)})`]),
      ...(code(scope) === '' ? [] : [`on ${code(scope)}`]),
    ]
    return message(known.event, name, about.join(' ') + details)
  },
})
