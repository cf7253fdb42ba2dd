import { z } from 'zod'
import { type IntegrationMessage, type Outcome, unsupported } from '../../kernel/integration.ts'
import { listOf, text, url } from '../../shared/fields.ts'
import { link, list, quote } from '../../shared/markdown.ts'

/** A person or a service: versions differ in the field of its name. */
const reference = z.looseObject({ name: text, summary: text, html_url: url }).nullish()
type Reference = z.output<typeof reference>

const incident = z.looseObject({
  incident_number: z.number(),
  html_url: url,
  title: text,
  service: reference,
  // Version 1.
  assigned_to_user: reference,
  resolved_by_user: reference,
  trigger_summary_data: z.looseObject({ subject: text, description: text }).nullish(),
  // Version 2.
  assignments: listOf(z.looseObject({ assignee: reference })),
  last_status_change_by: reference,
})
type Incident = z.output<typeof incident>

/** Versions 1 and 2, whose payloads have several messages each. */
export const oldPayload = z.looseObject({
  messages: z.array(
    z.looseObject({
      type: text,
      event: text,
      data: z.looseObject({ incident: incident.nullish() }).nullish(),
      incident: incident.nullish(),
    }),
  ),
})

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['incident.trigger', 'triggered'],
  ['incident.acknowledge', 'acknowledged'],
  ['incident.unacknowledge', 'unacknowledged'],
  ['incident.resolve', 'resolved'],
  ['incident.assign', 'assigned'],
  ['incident.escalate', 'escalated'],
  ['incident.delegate', 'delegated'],
])

/** Those that the newest version doesn't have under the same name. */
export const oldEvents = ['assigned', 'escalated', 'delegated']

export function oldOutcome({ messages }: z.output<typeof oldPayload>): Outcome {
  const made: IntegrationMessage[] = []
  let unknown: string | null = null
  for (const { type, event: ofVersion2, data, incident: about = data?.incident } of messages) {
    const name = ofVersion2 || type
    const event = EVENTS.get(name)
    if (event === undefined || !about) {
      unknown ??= name
      continue
    }
    const content = textOf(event, about)
    made.push({ event, topic: `Incident ${about.incident_number}`, content })
  }
  return made.length === 0 && unknown !== null ? unsupported(unknown) : { kind: 'messages', messages: made }
}

function textOf(event: string, about: Incident): string {
  const head = `Incident ${link(String(about.incident_number), about.html_url)} ${event}`
  if (event === 'resolved') {
    const by = linkOf(about.resolved_by_user ?? about.last_status_change_by)
    return withDetails(`${head}${by === '' ? '' : ` by ${by}`}`, about)
  }
  const [service, assignees] = [linkOf(about.service), assigneesOf(about)]
  const by = event === 'triggered' && service !== '' ? ` by ${service}` : ''
  const who = assignees.length === 0 ? 'nobody' : list(assignees)
  const to =
    event === 'triggered' || event === 'acknowledged' || event === 'unacknowledged'
      ? ` (assigned to ${who})`
      : ` to ${who}`
  return withDetails(`${head}${by}${to}`, about)
}

function withDetails(sentence: string, { title, trigger_summary_data: summary }: Incident): string {
  const details = [summary?.subject || title, summary?.description ?? ''].filter((line) => line !== '')
  return details.length === 0 ? `${sentence}.` : `${sentence}:\n\n${quote(details.join('\n'))}`
}

const assigneesOf = ({ assignments, assigned_to_user: user }: Incident): string[] =>
  [user, ...assignments.map(({ assignee }) => assignee)].map(linkOf).filter((name) => name !== '')

function linkOf(about: Reference): string {
  const name = about?.name || about?.summary || ''
  return name === '' ? '' : link(name, about?.html_url)
}
