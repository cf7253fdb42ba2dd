import type { z } from 'zod'
import { clientEvents } from '../events/client-events/all.ts'
import { deliveredEvent } from '../events/delivered-event.ts'
import {
  attachmentRecord,
  channelRecord,
  draftRecord,
  editHistoryEntry,
  fetchedMessage,
  messageFlag,
  messageRecord,
  reactionRecord,
  scheduledMessageRecord,
  subscriptionRecord,
  userTopic,
} from '../messaging/records.ts'
import { realmExport } from '../realm/exports.ts'
import { profileField } from '../realm/profile-fields.ts'
import { codePlayground, customEmoji, emailDomain, linkifier } from '../realm/records.ts'
import { botRecord } from '../users/bots.ts'
import { clientDevice } from '../users/client-devices.ts'
import { userGroup } from '../users/groups.ts'
import { clientPresence } from '../users/presence.ts'
import { mutedUser, userWithActivity } from '../users/records.ts'
import { savedSnippetRecord } from '../users/saved-snippets.ts'

/** Names of the schemas in answers and events, used by the documents and by generated clients. */
export const schemaNames: ReadonlyMap<z.core.$ZodType, string> = new Map<z.core.$ZodType, string>([
  [attachmentRecord, 'Attachment'],
  [channelRecord, 'Channel'],
  [draftRecord, 'Draft'],
  [editHistoryEntry, 'MessageEdit'],
  [fetchedMessage, 'FetchedMessage'],
  [messageFlag, 'MessageFlag'],
  [messageRecord, 'Message'],
  [reactionRecord, 'Reaction'],
  [scheduledMessageRecord, 'ScheduledMessage'],
  [subscriptionRecord, 'Subscription'],
  [userTopic, 'UserTopic'],
  [realmExport, 'RealmExport'],
  [profileField, 'ProfileField'],
  [codePlayground, 'CodePlayground'],
  [customEmoji, 'CustomEmoji'],
  [emailDomain, 'EmailDomain'],
  [linkifier, 'Linkifier'],
  [botRecord, 'Bot'],
  [userGroup, 'UserGroup'],
  [clientPresence, 'Presence'],
  [mutedUser, 'MutedUser'],
  [userWithActivity, 'User'],
  [savedSnippetRecord, 'SavedSnippet'],
  [clientDevice, 'ClientDevice'],
  [deliveredEvent, 'Event'],
  ...clientEvents.map(({ schema, name }): [z.core.$ZodType, string] => [schema, name]),
])
