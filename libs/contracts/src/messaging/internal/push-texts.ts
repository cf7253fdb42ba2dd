import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'

const ofUser = { user_id: z.int(), message_id: z.int() }

/**
 * What devices of users show of messages as they are now, in plain text. Left out is what need not appear any more: what
 * the user has read, what was deleted, and what the user can't see any more.
 */
export const listPushTexts = internalEndpoint({
  name: 'listPushTexts',
  owner: 'messaging',
  path: '/internal/push-texts',
  body: z.object({ messages: z.array(z.object(ofUser)).max(100) }),
  response: z.object({ texts: z.array(z.object({ ...ofUser, content: z.string() })) }),
})
