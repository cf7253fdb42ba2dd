import {
  DELETION_BATCH,
  type DeletionStep,
  deleteBatch,
  deleteRows,
  type Pool,
  type Queryable,
  transact,
} from '@tms/service-kit'
import { lockRecipients } from '../kernel/locks/recipient-locks.queries.ts'

type RowStep = DeletionStep<{ readonly db: Pool }>

/** Channels and conversations, or users, of one transaction. */
const FEW = 50
/** SQL: the names that begin with the organization's ID and a slash, by the index on them: '0' follows the slash. */
const isOwnPath = (column: string): string =>
  `${column} ~>=~ concat($1::bigint, '/') and ${column} ~<~ concat($1::bigint, '0')`

/** What waits to be sent, called, published or uploaded. It goes first, so that nothing new comes of it. */
export const pendingWork: readonly RowStep[] = [
  deleteRows('scheduled_messages', 'realm_id = $1'),
  deleteRows('webhook_calls', 'realm_id = $1'),
  deleteRows('webhook_attempts', 'realm_id = $1'),
  // With the messages in them.
  deleteRows('missed_message_batches', 'realm_id = $1'),
  deleteRows('missed_wildcards', 'realm_id = $1'),
  deleteRows('added_mentions', 'realm_id = $1'),
  deleteRows('postponed_notifications', 'realm_id = $1'),
  deleteRows('push_notices', 'realm_id = $1'),
  deleteRows('pushed_messages', 'realm_id = $1'),
  deleteRows('guest_visibility_changes', 'realm_id = $1'),
  deleteRows('resumable_uploads', 'realm_id = $1'),
  deleteRows('webhook_backlogs', 'realm_id = $1'),
  deleteRows('webhook_secrets', 'realm_id = $1'),
  deleteRows('webhook_deliveries', 'realm_id = $1'),
  deleteRows('webhook_failure_notices', 'realm_id = $1'),
]

/** Uploaded files, with their links. */
export const deleteAttachments: RowStep = ({ db }, realmId) =>
  transact(db, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(
      `select id from attachments where ${isOwnPath('path_id')} limit $2`,
      [realmId, DELETION_BATCH],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    for (const table of ['attachment_messages', 'attachment_scheduled_messages'])
      await tx.query(`delete from ${table} where attachment_id = any ($1::bigint[])`, [ids])
    await tx.query('delete from attachments where id = any ($1::bigint[])', [ids])
    return ids.length
  })

/** Channels and conversations with their messages. A send that was under way is complete before, or finds it gone. */
export const deleteRecipients: RowStep = ({ db }, realmId) =>
  transact(db, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(
      'select id from recipients where realm_id = $1 order by id limit $2',
      [realmId, FEW],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await lockRecipients(tx, ids)
    const messages = await deleteSomeMessages(tx, ids)
    if (messages === DELETION_BATCH) return messages
    const ofChannels = 'channel_id in (select id from channels where recipient_id = any ($1::bigint[]))'
    for (const table of ['subscriptions', 'user_topics']) {
      const rest = await deleteBatch(tx, table, ofChannels, ids)
      if (rest === DELETION_BATCH) return messages + rest
    }
    await tx.query(`delete from channel_traffic where ${ofChannels}`, [ids])
    for (const table of ['channels', 'conversation_members', 'conversations'])
      await tx.query(`delete from ${table} where recipient_id = any ($1::bigint[])`, [ids])
    await tx.query('delete from recipients where id = any ($1::bigint[])', [ids])
    return messages + ids.length
  })

/** What belongs to users, and the projections of them. */
export const deleteUsers: RowStep = ({ db }, realmId) =>
  transact(db, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(
      'select user_id as id from known_users where realm_id = $1 limit $2',
      [realmId, FEW],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    let count = 0
    for (const table of ['message_flags', 'subscriptions', 'user_topics', 'idempotency_keys']) {
      const some = await deleteBatch(tx, table, 'user_id = any ($1::bigint[])', ids)
      count += some
      if (some === DELETION_BATCH) return count
    }
    for (const table of ['drafts', 'pointers', 'known_users'])
      await tx.query(`delete from ${table} where user_id = any ($1::bigint[])`, [ids])
    return count + ids.length
  })

export const deleteGroups: RowStep = deleteRows('known_groups', 'realm_id = $1')
export const deleteUploadSpace: RowStep = deleteRows('upload_space', 'realm_id = $1')
/** The blobs themselves are deleted before. */
export const deleteBlobRecords: RowStep = deleteRows(
  'blobs_to_delete',
  "starts_with(name, concat('attachments/', $1::bigint, '/'))",
)

/** Deletes the copy of an organization that no longer exists, and what else has its ID. */
export async function deleteKnownRealm(tx: Queryable, realmId: number): Promise<void> {
  for (const table of ['guest_visibility_changes', 'pending_imports', 'known_realms'])
    await tx.query(`delete from ${table} where realm_id = $1`, [realmId])
}

/** Whether an organization is known as active. */
export async function isKnownAsActive(db: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await db.query(
    `select realm_id from known_realms where realm_id = $1 and (projection ->> 'is_active')::boolean`,
    [realmId],
  )
  return rows.length > 0
}

/** Deletes a batch of messages, with what is on them. */
async function deleteSomeMessages(tx: Queryable, recipientIds: readonly number[]): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    'select id from messages where recipient_id = any ($1::bigint[]) limit $2',
    [recipientIds, DELETION_BATCH],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  for (const table of ['attachment_messages', 'message_flags'])
    await tx.query(`delete from ${table} where message_id = any ($1::bigint[])`, [ids])
  await tx.query('delete from messages where id = any ($1::bigint[])', [ids])
  return ids.length
}
