import { defineIntegration } from '../kernel/integration.ts'
import { messageWithTopic, topicAndContent } from '../shared/topic-and-content.ts'

export const ifttt = defineIntegration({
  name: 'ifttt',
  displayName: 'IFTTT',
  description: 'Messages of the applets of IFTTT.',
  setup: `Add the action *Make a web request* of the service *Webhooks*:

* **URL**: \`{url}\`
* **Method**: POST
* **Content type**: application/json
* **Body**, with ingredients that may stand in \`<<<…>>>\`:

\`\`\`json
{"topic": "<<<{{EventName}}>>>", "content": "<<<{{OccurredAt}}>>>"}
\`\`\``,
  payload: topicAndContent,
  format: ({ payload }) => messageWithTopic(payload),
})
