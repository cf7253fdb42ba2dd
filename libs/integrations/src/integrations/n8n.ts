import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { text, url } from '../shared/fields.ts'
import { inline, link, quote } from '../shared/markdown.ts'
import { messageWithTopic, topicAndContent } from '../shared/topic-and-content.ts'

const failure = z.looseObject({
  message: text,
  description: text,
  node: z.looseObject({ name: text }).nullish(),
})

export const n8n = defineIntegration({
  name: 'n8n',
  displayName: 'n8n',
  description: 'Messages of the steps of a workflow, and workflows that fail.',
  setup: `Add the node **HTTP Request**:

* **Method**: POST; **URL**: \`{url}\`
* **Send Body**: on; **Body Content Type**: JSON; **Specify Body**: Using JSON, with the topic and the text:

\`\`\`json
{"topic": "{{ $json.customer }}", "content": "A new order of {{ $json.total }}"}
\`\`\`

For workflows that fail, make a workflow of **Error Trigger** and the same node with the body \`{{ $json }}\`, and choose it as the
**Error workflow** in the settings of the others.`,
  events: ['message', 'error'],
  payload: topicAndContent.extend({
    execution: z.looseObject({ id: text, url, lastNodeExecuted: text, error: failure.nullish() }).nullish(),
    trigger: z.looseObject({ error: failure.nullish() }).nullish(),
    workflow: z.looseObject({ name: text }).nullish(),
  }),
  format: ({ payload }) => {
    const { workflow, execution, trigger } = payload
    const error = execution?.error ?? trigger?.error
    if (!workflow || !error) return messageWithTopic(payload, 'message')
    const name = workflow.name || 'Workflow'
    const node = execution?.lastNodeExecuted || error.node?.name
    const at = node ? ` at ${inline(node)}` : ''
    const reason = [error.message, error.description].filter((line) => line !== '').join('\n')
    const run = execution?.id ? ` (${link(`execution ${execution.id}`, execution.url)})` : ''
    const head = `:warning: **${inline(name)}** failed${at}${run}`
    return message('error', name, reason === '' ? `${head}.` : `${head}:\n\n${quote(reason)}`)
  },
})
