import { z } from 'zod'
import { defineIntegration, type IntegrationMessage } from '../kernel/integration.ts'
import { groupBy } from '../shared/group-by.ts'
import { inline, link } from '../shared/markdown.ts'

const texts = z.record(z.string(), z.string())
const alert = z.looseObject({
  status: z.string(),
  labels: texts.default({}),
  annotations: texts.default({}),
  generatorURL: z.string().default(''),
})
type Alert = z.output<typeof alert>

const UNKNOWN_TOPIC = '(unknown)'

export const alertmanager = defineIntegration({
  name: 'alertmanager',
  displayName: 'Alertmanager',
  description: 'Alerts of Prometheus, grouped by what they are about.',
  setup: `In \`alertmanager.yml\`:

\`\`\`yaml
receivers:
  - name: chat
    webhook_configs:
      - url: "{url}"
\`\`\``,
  parameters: {
    name: 'Label or annotation whose value is the topic; `instance` if missing.',
    desc: 'Label or annotation that describes an alert; `alertname` if missing.',
  },
  payload: z.looseObject({ alerts: z.array(alert) }),
  format: ({ payload, parameters }) => {
    const { name = 'instance', desc = 'alertname' } = parameters
    const groups = groupBy(payload.alerts, (each) => JSON.stringify([fieldOf(each, name), each.status]))
    const messages = groups.map((alerts) => messageOf(alerts, name, desc))
    return { kind: 'messages', messages }
  },
})

/** One message for alerts of the same topic and status. */
function messageOf(
  alerts: readonly Alert[],
  topicField: string,
  descriptionField: string,
): IntegrationMessage {
  const [first] = alerts as [Alert]
  const head = first.status === 'firing' ? ':alert: **FIRING**' : ':squared_ok: **Resolved**'
  const lines = alerts.map((each) => {
    const description = inline(fieldOf(each, descriptionField) ?? `<missing field: ${descriptionField}>`)
    const source = each.generatorURL === '' ? '' : ` (${link('source', asGraph(each.generatorURL))})`
    return description + source
  })
  const content =
    lines.length === 1 ? `${head} ${lines[0]}` : [head, ...lines.map((line) => `* ${line}`)].join('\n')
  return { topic: fieldOf(first, topicField) ?? UNKNOWN_TOPIC, content, event: null }
}

const fieldOf = ({ labels, annotations }: Alert, name: string): string | null =>
  [annotations, labels].find((fields) => Object.hasOwn(fields, name))?.[name] ?? null

/** The address of the expression as a graph; the table, `tab=1`, shows only the present. */
const asGraph = (url: string): string => url.replace('tab=1', 'tab=0')
