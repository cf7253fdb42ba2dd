import { z } from 'zod'
import { channelEvents } from './channels.ts'
import { messageEvents } from './messages.ts'
import { organizationEvents } from './organization.ts'
import { ownAccountEvents } from './own-account.ts'
import { serverEvents } from './server.ts'
import { userEvents } from './users.ts'

/** Every event that a client may receive. */
export const clientEvents = [
  ...messageEvents,
  ...channelEvents,
  ...userEvents,
  ...ownAccountEvents,
  ...organizationEvents,
  ...serverEvents,
]

/** An event in the answer to a poll: any of them. */
export const deliveredEvent = z.union(clientEvents.map(({ schema }) => schema)) as unknown as z.ZodType<{
  id: number
  type: string
}>
