import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { json, text } from '../../parameter.ts'

export const updateMessageFlags = endpoint({
  name: 'updateMessageFlags',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/flags',
  auth: 'user',
  summary: 'Add or remove a flag on messages',
  parameters: {
    messages: json(z.array(z.int())),
    op: text(z.enum(['add', 'remove'])),
    flag: text(z.string()),
  },
  response: z.object({ messages: z.array(z.int()) }),
})
