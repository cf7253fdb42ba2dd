import { z } from 'zod'
import { defineIntegration, message, type Outcome, unsupported } from '../../kernel/integration.ts'
import { PayloadError } from '../../kernel/payload-error.ts'
import { link, list } from '../../shared/markdown.ts'
import { parsePayload } from '../../shared/parse-payload.ts'
import { hmacAmong } from '../../shared/signatures.ts'
import { oldEvents, oldOutcome, oldPayload } from './old-versions.ts'

const reference = z.looseObject({ summary: z.string(), html_url: z.string().nullish() })
type Reference = z.output<typeof reference>
const incident = z.looseObject({
  number: z.number(),
  title: z.string(),
  html_url: z.string(),
  service: reference.nullish(),
  assignees: z.array(reference).nullish(),
})

/** Events of the incidents with their names in the filter, and what they say. */
const EVENTS = new Map([
  ['incident.triggered', { event: 'triggered', verb: 'triggered' }],
  ['incident.acknowledged', { event: 'acknowledged', verb: 'acknowledged' }],
  ['incident.unacknowledged', { event: 'unacknowledged', verb: 'unacknowledged' }],
  ['incident.resolved', { event: 'resolved', verb: 'resolved' }],
  ['incident.reassigned', { event: 'reassigned', verb: 'reassigned' }],
])

const newPayload = z.looseObject({
  event: z.looseObject({ event_type: z.string(), agent: reference.nullish(), data: z.unknown() }),
})

export const pagerduty = defineIntegration({
  name: 'pagerduty',
  displayName: 'PagerDuty',
  description: 'Incidents that are triggered, acknowledged, reassigned and resolved.',
  setup: `In PagerDuty, open *Integrations*, *Generic Webhooks (v3)*, *New Webhook*, and enter:

* **Webhook URL**: \`{url}\`
* **Event subscription**: the events of incidents.

PagerDuty shows a secret once; enter it as the secret of the address to have signatures checked. Webhooks of versions 1 and 2 are
understood too; they aren't signed.`,
  events: [...[...EVENTS.values()].map(({ event }) => event), ...oldEvents],
  signature: hmacAmong('x-pagerduty-signature', 'v1'),
  payload: z.looseObject({
    event: z.looseObject({ id: z.unknown().optional() }).nullish(),
    messages: z.array(z.looseObject({ id: z.unknown().optional() })).nullish(),
  }),
  deliveryId: ({ event, messages }) => {
    const ids = (messages ?? [event]).flatMap((each) => (typeof each?.id === 'string' ? [each.id] : []))
    return ids.join(' ')
  },
  format: ({ payload }) =>
    payload.messages && !payload.event
      ? oldOutcome(parsePayload(oldPayload, payload))
      : outcomeOf(parsePayload(newPayload, payload)),
})

function outcomeOf({ event: { event_type: type, agent, data } }: z.output<typeof newPayload>): Outcome {
  const known = EVENTS.get(type)
  if (!known) return unsupported(type)
  const { success, data: about } = incident.safeParse(data)
  if (!success) throw new PayloadError('event.data: not an incident')
  const name = `${about.title} (#${about.number})`
  const by = actor(known.event === 'triggered' ? about.service : agent)
  const assignees = (about.assignees ?? []).map(linkOf)
  const assigned =
    known.event === 'resolved' || assignees.length === 0 ? '' : ` (assigned to ${list(assignees)})`
  const content = `Incident ${link(name, about.html_url)} ${known.verb}${by}${assigned}.`
  return message(known.event, `Incident ${name}`, content)
}

const linkOf = ({ summary, html_url: url }: Reference): string => link(summary, url)
const actor = (by: Reference | null | undefined): string => (by ? ` by ${linkOf(by)}` : '')
