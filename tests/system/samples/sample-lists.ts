// Written by `npm run gen` (tools/barrels.ts).

import { eventQueueSamples } from './events/event-queues.ts'
import { channelSamples } from './messaging/channels.ts'
import { draftSamples } from './messaging/drafts.ts'
import { incomingWebhookSamples } from './messaging/incoming-webhooks.ts'
import { messageSamples } from './messaging/messages.ts'
import { uploadSamples } from './messaging/uploads.ts'
import { organizationSamples } from './realm/organization.ts'
import { pictureSamples } from './realm/pictures.ts'
import { accountSamples } from './users/accounts.ts'
import { botSamples } from './users/bots.ts'
import { externalSignOnSamples } from './users/external-sign-on.ts'
import { groupSamples } from './users/groups.ts'
import { invitationSamples } from './users/invitations.ts'
import { logInPageSamples } from './users/log-in-pages.ts'
import { personalSamples } from './users/personal.ts'
import { scimSamples } from './users/scim.ts'

export const sampleLists = [
  eventQueueSamples,
  channelSamples,
  draftSamples,
  incomingWebhookSamples,
  messageSamples,
  uploadSamples,
  organizationSamples,
  pictureSamples,
  accountSamples,
  botSamples,
  externalSignOnSamples,
  groupSamples,
  invitationSamples,
  logInPageSamples,
  personalSamples,
  scimSamples,
]
