import type { Tx } from '@tms/service-kit'
import { isMessage } from './record-parts.queries.ts'

const OWN_CHANNELS = 'select id from channels where realm_id = $1'
const OWN_FILES = 'select id from attachments where realm_id = $1'

/** Deletes referring rows first; the rest is deleted with its message. */
const REMOVALS: readonly string[] = [
  `delete from attachment_messages where attachment_id in (${OWN_FILES})`,
  `delete from attachment_scheduled_messages where attachment_id in (${OWN_FILES})`,
  'delete from attachments where realm_id = $1',
  'delete from upload_space where realm_id = $1',
  'delete from scheduled_messages where realm_id = $1',
  'delete from webhook_calls where realm_id = $1',
  'delete from pointers where user_id in (select user_id from known_users where realm_id = $1)',
  'delete from drafts where user_id in (select user_id from known_users where realm_id = $1)',
  `delete from user_topics where channel_id in (${OWN_CHANNELS})`,
  `delete from message_flags where ${isMessage('message_flags.message_id')}`,
  'delete from messages where realm_id = $1',
  `delete from subscriptions where channel_id in (${OWN_CHANNELS})`,
  `delete from channel_traffic where channel_id in (${OWN_CHANNELS})`,
  'delete from channels where realm_id = $1',
  `delete from conversation_members where recipient_id in (select recipient_id from conversations where realm_id = $1)`,
  'delete from conversations where realm_id = $1',
  'delete from recipients where realm_id = $1',
  'delete from guest_visibility_changes where realm_id = $1',
  // Otherwise these projections would count as newer than those of another import.
  'delete from known_groups where realm_id = $1',
  'delete from known_users where realm_id = $1',
  'delete from known_realms where realm_id = $1',
]

/** Path IDs of an organization's files. */
export async function listPathIds(tx: Tx, realmId: number): Promise<string[]> {
  const { rows } = await tx.query<{ pathId: string }>(
    'select path_id as "pathId" from attachments where realm_id = $1',
    [realmId],
  )
  return rows.map(({ pathId }) => pathId)
}

/** Removes all data and projections of an organization. */
export async function removeRecords(tx: Tx, realmId: number): Promise<void> {
  for (const removal of REMOVALS) await tx.query(removal, [realmId])
}
