import { z } from 'zod'
import { defineIntegration, message, type Outcome, unsupported } from '../kernel/integration.ts'
import { listOf, named, text, url } from '../shared/fields.ts'
import { inline, link, list, quote } from '../shared/markdown.ts'
import { hmacOfBody } from '../shared/signatures.ts'

const payload = z.looseObject({
  action: z.string(),
  type: z.string(),
  url,
  actor: named,
  updatedFrom: z.record(z.string(), z.unknown()).nullish(),
  data: z.looseObject({
    identifier: text,
    title: text,
    name: text,
    description: text,
    body: text,
    priorityLabel: text,
    url,
    state: named,
    assignee: named,
    team: named,
    labels: listOf(named),
    issue: z.looseObject({ identifier: text, title: text }).nullish(),
    user: named,
  }),
})
type Payload = z.output<typeof payload>

const VERBS: ReadonlyMap<string, string> = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['remove', 'removed'],
])
const KINDS: ReadonlyMap<string, string> = new Map([
  ['Issue', 'issue'],
  ['Comment', 'comment'],
  ['Project', 'project'],
])

export const linear = defineIntegration({
  name: 'linear',
  displayName: 'Linear',
  description: 'Issues, comments and projects of Linear.',
  setup: `In Linear, open **Settings**, **API**, **New webhook**:

1. **URL**: \`{url}\`
2. **Data change events**: Issues, Comments, Projects, or some of them.
3. The **Signing secret** that is shown is the \`webhook_secret\` for the address.`,
  events: [...KINDS.values()].flatMap((kind) => [...VERBS.keys()].map((action) => `${kind}_${action}`)),
  deliveryIdHeader: 'linear-delivery',
  signature: hmacOfBody('linear-signature'),
  payload,
  format: ({ payload }) => {
    const [kind, verb] = [KINDS.get(payload.type), VERBS.get(payload.action)]
    if (kind === undefined || verb === undefined) return unsupported(`${payload.type} ${payload.action}`)
    const event = `${kind}_${payload.action}`
    switch (kind) {
      case 'comment':
        return ofComment(payload, event, verb)
      case 'issue':
        return ofIssue(payload, event, verb)
      default: {
        const { name } = payload.data
        const project = link(name || 'Project', payload.url || payload.data.url)
        return message(event, name || 'Linear', `${actorOf(payload)} ${verb} the project ${project}.`)
      }
    }
  },
})

const actorOf = ({ actor, data }: Payload): string => inline(actor?.name || data.user?.name || 'Someone')

const nameOf = ({ identifier, title }: { readonly identifier: string; readonly title: string }): string =>
  [identifier, title].filter((part) => part !== '').join(': ') || 'Issue'

/** Fields with their labels, in the order in which they are shown. */
const fieldsOf = ({ data }: Payload): readonly (readonly [key: string, label: string, value: string])[] => [
  ['stateId', 'Status', data.state?.name ?? ''],
  ['priority', 'Priority', data.priorityLabel],
  ['assigneeId', 'Assignee', data.assignee?.name ?? ''],
  ['labelIds', 'Labels', list(data.labels.flatMap((each) => each?.name || []))],
]

function ofIssue(payload: Payload, event: string, verb: string): Outcome {
  const { data, action, updatedFrom } = payload
  const topic = nameOf(data)
  const head = `${actorOf(payload)} ${verb} ${link(topic, payload.url || data.url)}`
  const isShown = (key: string): boolean =>
    action === 'create' ||
    (updatedFrom !== null && updatedFrom !== undefined && Object.hasOwn(updatedFrom, key))
  const bullets =
    action === 'remove'
      ? []
      : fieldsOf(payload)
          .filter(([key, , value]) => isShown(key) && (action !== 'create' || value !== ''))
          .map(([, label, value]) => `* **${label}**: ${inline(value) || 'none'}`)
  const isDescribed = isShown('description') && data.description.trim() !== '' && action !== 'remove'
  const parts = [
    ...(bullets.length === 0 ? [] : [bullets.join('\n')]),
    ...(isDescribed ? [quote(data.description)] : []),
  ]
  return message(event, topic, parts.length === 0 ? `${head}.` : [`${head}:`, ...parts].join('\n\n'))
}

const COMMENT_VERBS: ReadonlyMap<string, string> = new Map([
  ['create', 'commented'],
  ['update', 'edited a comment'],
  ['remove', 'removed a comment'],
])

function ofComment(payload: Payload, event: string, verb: string): Outcome {
  const { data, action } = payload
  const topic = data.issue ? nameOf(data.issue) : 'Linear'
  const said = link(COMMENT_VERBS.get(action) ?? verb, payload.url || data.url)
  const head = `${actorOf(payload)} ${said} on ${inline(topic)}`
  return message(event, topic, data.body.trim() === '' ? `${head}.` : `${head}:\n\n${quote(data.body)}`)
}
