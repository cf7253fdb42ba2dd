import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { json, text } from '../../parameter.ts'

export const addSubmessage = endpoint({
  name: 'addSubmessage',
  owner: 'messaging',
  method: 'POST',
  path: '/submessage',
  auth: 'user',
  summary: 'Attach a submessage to a message',
  parameters: {
    message_id: json(z.int()),
    msg_type: text(z.string(), { description: '`widget` for what polls and to-do lists are made of.' }),
    content: text(z.string(), {
      description: `JSON. Of a poll or a to-do list an object whose \`type\` is one that its clients know, with exactly the fields of that; else for clients to interpret. A message can have at most ${limits.maxSubmessages} submessages, of ${limits.maxSubmessagesMib} MiB in all.`,
    }),
  },
  response: z.object({}),
})
