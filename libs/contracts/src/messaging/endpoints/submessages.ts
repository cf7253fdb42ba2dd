import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, text } from '../../declarations/parameter.ts'

export const addSubmessage = endpoint({
  name: 'addSubmessage',
  owner: 'messaging',
  method: 'POST',
  path: '/submessage',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Attach a submessage to a message',
  parameters: {
    message_id: json(z.int()),
    msg_type: text(z.string(), { description: '`widget` for polls and to-do lists.' }),
    content: text(z.string(), {
      description: `JSON. For a poll or a to-do list, an object with a \`type\` that its clients know, with exactly the fields of that type; otherwise clients interpret it. A message can have at most ${limits.maxSubmessages} submessages, of ${limits.maxSubmessagesMib} MiB in all.`,
    }),
  },
  response: z.object({}),
})
