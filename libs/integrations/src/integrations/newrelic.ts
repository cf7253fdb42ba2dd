import { z } from 'zod'
import { defineIntegration, message, type Outcome, unsupported } from '../kernel/integration.ts'
import { listOf, text, url } from '../shared/fields.ts'
import { inline, link, list, quote } from '../shared/markdown.ts'

const payload = z.looseObject({
  // Of a workflow.
  title: text,
  state: text,
  priority: text,
  issueUrl: url,
  totalIncidents: text,
  alertPolicyNames: listOf(text),
  alertConditionNames: listOf(text),
  impactedEntities: listOf(text),
  // Of a notification channel, which workflows have replaced.
  current_state: text,
  condition_name: text,
  policy_name: text,
  incident_id: text,
  incident_url: url,
  severity: text,
  details: text,
})
type Payload = z.output<typeof payload>

const STATES: ReadonlyMap<string, { event: string; text: string }> = new Map([
  ['open', { event: 'opened', text: ':alert: **OPENED**' }],
  ['created', { event: 'opened', text: ':alert: **OPENED**' }],
  ['activated', { event: 'opened', text: ':alert: **OPENED**' }],
  ['acknowledged', { event: 'acknowledged', text: ':eyes: **ACKNOWLEDGED**' }],
  ['closed', { event: 'closed', text: ':squared_ok: **CLOSED**' }],
])

export const newrelic = defineIntegration({
  name: 'newrelic',
  displayName: 'New Relic',
  description: 'Issues and incidents that open, are acknowledged and close.',
  setup: `In New Relic, open **Alerts**, **Destinations**, **Webhook**, and enter \`{url}\` as **Endpoint URL**. Then, under **Workflows**, add a
workflow with this destination, and leave its payload template as it is.`,
  events: ['opened', 'acknowledged', 'closed'],
  payload,
  format: ({ payload }) => {
    const written = payload.current_state || payload.state
    const state = STATES.get(written.toLowerCase())
    if (!state) return unsupported(written || 'no state')
    return payload.current_state === '' ? ofIssue(payload, state) : ofIncident(payload, state)
  },
})

interface State {
  readonly event: string
  readonly text: string
}

function ofIssue(payload: Payload, { event, text: state }: State): Outcome {
  const { title, issueUrl, priority, alertPolicyNames: policies, alertConditionNames: conditions } = payload
  const priorityText = priority === '' ? '' : ` (${inline(priority.toLowerCase())})`
  const lines = [
    `${state} ${link(title || 'Issue', issueUrl)}${priorityText}`,
    ...line('Condition', conditions),
    ...line('Affected', payload.impactedEntities),
  ]
  return message(event, policies[0] || conditions[0] || 'New Relic', lines.join('\n'))
}

const MAX_NAMES = 10

/** The names after a label; nothing if there are none. */
function line(label: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_NAMES).map(inline)
  return [
    `${label}: ${list(names.length > MAX_NAMES ? [...shown, `${names.length - MAX_NAMES} more`] : shown)}`,
  ]
}

function ofIncident(payload: Payload, { event, text: state }: State): Outcome {
  const {
    condition_name: condition,
    incident_id: id,
    incident_url: address,
    severity,
    details,
    policy_name: policy,
  } = payload
  const incident = link(`incident ${id}`.trim(), address)
  const severityText = severity === '' ? '' : ` (${inline(severity.toLowerCase())})`
  const head = `${state} ${inline(condition || 'Condition')}, ${incident}${severityText}`
  return message(event, policy || 'New Relic', details === '' ? head : `${head}:\n\n${quote(details)}`)
}
