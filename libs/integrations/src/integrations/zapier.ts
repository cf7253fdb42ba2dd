import { defineIntegration, ignored } from '../kernel/integration.ts'
import { messageWithTopic, topicAndContent } from '../shared/topic-and-content.ts'

export const zapier = defineIntegration({
  name: 'zapier',
  displayName: 'Zapier',
  description: 'Messages of the steps of a Zap.',
  setup: `Add the action *Webhooks by Zapier*, event *POST*:

* **URL**: \`{url}\`
* **Payload type**: \`json\`
* **Data**: \`topic\` and \`content\`, each with the text or the fields of earlier steps that it consists of.`,
  payload: topicAndContent,
  answer: 'bot',
  // A trial of the connection, which only wants to know the account.
  format: ({ payload }) => (payload.type === 'auth' ? ignored : messageWithTopic(payload)),
})
