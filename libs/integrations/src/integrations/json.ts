import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { block } from '../shared/markdown.ts'
import { indented, parseTemplate } from '../shared/template.ts'

const TOPIC = 'JSON'

export const json = defineIntegration({
  name: 'json',
  displayName: 'JSON',
  description: 'Any JSON object: shown as it is, or as a template of yours says.',
  setup: `Let the sender post JSON to \`{url}\`.

Two more parameters make a message of it, in the language of [Mustache](https://mustache.github.io/mustache.5.html):

| in a template                         | becomes                                                            |
| ------------------------------------- | ------------------------------------------------------------------ |
| \`{{title}}\`, \`{{user.name}}\`          | a value on a line: it mentions nobody, and breaks nothing around it |
| \`{{{body}}}\`                          | a value that is Markdown itself, on lines of its own               |
| \`{{#items}}* {{name}}{{/items}}\`      | its text for each item of a list, or once if there is a value      |
| \`{{^items}}none{{/items}}\`            | its text if the list is empty, or there is no value                |
| \`{{{.}}}\`                             | everything here, as a block of JSON                                |
| \`@**Ada**\`, \`@*on call*\`              | mentions, as in any message of the bot                             |

A template that comes to nothing posts nothing, so a section around all of it chooses what is posted. In an address, templates are
percent-encoded. \`POST /api/v1/webhook_templates/render\` tries templates on a payload without posting, and gives both as the end of an
address:

\`\`\`sh
curl -u you@example.com:YOUR_KEY https://chat.example.com/api/v1/webhook_templates/render \\
  --data-urlencode 'payload={"job":"nightly","ok":false}' \\
  --data-urlencode 'topic_template={{job}}' \\
  --data-urlencode 'template={{^ok}}**{{job}}** has failed.{{/ok}}'
\`\`\``,
  parameters: {
    template: 'Template of the text; without it the whole payload is shown.',
    topic_template: `Template of the topic; without it, or if it comes to nothing, \`${TOPIC}\`.`,
  },
  payload: z.record(z.string(), z.unknown()),
  format: ({ payload, parameters }) => {
    const { template, topic_template: topicTemplate } = parameters
    const topic = topicTemplate && parseTemplate('topic_template', topicTemplate, 'line')(payload)
    const content =
      template === undefined
        ? block(indented(payload), 'json')
        : parseTemplate('template', template, 'markdown')(payload).trimEnd()
    return message(null, topic || TOPIC, content)
  },
})
