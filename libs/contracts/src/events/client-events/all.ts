// Written by `npm run gen` (tools/barrels.ts).

import { channelEvents } from './channels.ts'
import { messageEvents } from './messages.ts'
import { organizationEvents } from './organization.ts'
import { ownAccountEvents } from './own-account.ts'
import { serverEvents } from './server.ts'
import { userEvents } from './users.ts'

export const clientEvents = [
  ...channelEvents,
  ...messageEvents,
  ...organizationEvents,
  ...ownAccountEvents,
  ...serverEvents,
  ...userEvents,
]
