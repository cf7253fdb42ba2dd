import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { link } from '../shared/markdown.ts'

export const helloworld = defineIntegration({
  name: 'helloworld',
  displayName: 'Hello World',
  description: 'The smallest integration, to try an address or to begin one of your own with.',
  setup: `In a terminal:

\`\`\`sh
curl '{url}' -d '{"featured_title": "Tea", "featured_url": "https://en.example.com/wiki/Tea"}'
\`\`\``,
  payload: z.looseObject({ featured_title: z.string(), featured_url: z.string() }),
  format: ({ payload }) =>
    message(
      null,
      'Hello World',
      `Hello! :smile: Today’s article is **${link(payload.featured_title, payload.featured_url)}**.`,
    ),
})
