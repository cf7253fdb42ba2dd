import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'

/** What devices show of messages as they are now, in plain text. Messages that were deleted are left out. */
export const listPushTexts = internalEndpoint({
  name: 'listPushTexts',
  owner: 'messaging',
  path: '/internal/push-texts',
  body: z.object({ realm_id: z.int(), message_ids: z.array(z.int()).max(100) }),
  response: z.object({ texts: z.array(z.object({ message_id: z.int(), content: z.string() })) }),
})
