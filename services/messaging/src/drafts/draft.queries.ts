import type { DraftRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'
import type { UnsentUsage } from '../kernel/messages/unsent-quota.rules.ts'

const COLUMNS = 'id, type, to_json(recipient_ids) as to, topic, content, last_edited_at as timestamp'

/** Lists the drafts of a user, oldest first. */
export async function listDrafts(db: Queryable, userId: number): Promise<DraftRecord[]> {
  const { rows } = await db.query<DraftRecord>({
    name: 'list-drafts',
    text: `
      select ${COLUMNS}
        from drafts
       where user_id = $1
       order by last_edited_at, id`,
    values: [userId],
  })
  return rows
}

/** Lists the newest drafts of a user who synchronizes them, newest first. */
export async function listNewestDrafts(db: Queryable, userId: number, limit: number): Promise<DraftRecord[]> {
  const { rows } = await db.query<DraftRecord>({
    name: 'list-newest-drafts',
    text: `
      select ${COLUMNS}
        from drafts
       where user_id = $1
         and exists (select
                       from known_users
                      where known_users.user_id = $1
                        and projection -> 'settings' -> 'enable_drafts_synchronization' = 'true')
       order by last_edited_at desc, id desc
       limit $2`,
    values: [userId, limit],
  })
  return rows
}

/**
 * Returns whether a user synchronizes drafts, and prevents a change of that until the transaction ends: turning it
 * off deletes all drafts, including those that are being stored. Nobody else stores drafts of the user meanwhile,
 * so they can be counted.
 */
export async function lockDraftSync(tx: Tx, userId: number): Promise<boolean> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [userId])
  const { rows } = await tx.query<{ isOn: boolean }>({
    name: 'lock-draft-sync',
    text: `
      select projection -> 'settings' -> 'enable_drafts_synchronization' = 'true' as "isOn"
        from known_users
       where user_id = $1
         for no key update`,
    values: [userId],
  })
  return rows[0]?.isOn ?? true
}

/** Counts and measures the drafts of a user; needs `lockDraftSync`. */
export async function measureDrafts(tx: Tx, userId: number): Promise<UnsentUsage> {
  const { rows } = await tx.query<UnsentUsage>({
    name: 'measure-drafts',
    text: `
      select count(*) as count, coalesce(sum(octet_length(content)), 0)::bigint as bytes
        from drafts
       where user_id = $1`,
    values: [userId],
  })
  return rows[0] ?? { count: 0, bytes: 0 }
}

/** Stores drafts and returns their IDs, in order. */
export async function insertDrafts(
  tx: Tx,
  userId: number,
  drafts: readonly Omit<DraftRecord, 'id'>[],
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'insert-drafts',
    text: `
      insert into drafts (user_id, type, recipient_ids, topic, content, last_edited_at)
      select $1, draft.type, array(select jsonb_array_elements_text(draft.to)::bigint), topic, content, timestamp
        from jsonb_to_recordset($2)
             as draft (type text, "to" jsonb, topic text, content text, timestamp bigint)
      returning id`,
    values: [userId, JSON.stringify(drafts)],
  })
  return rows.map(({ id }) => id)
}

/** Replaces a draft of a user. Returns whether it exists. */
export async function replaceDraft(tx: Tx, userId: number, draft: DraftRecord): Promise<boolean> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'replace-draft',
    text: `
      update drafts
         set (type, recipient_ids, topic, content, last_edited_at) = ($3, $4::bigint[], $5, $6, $7)
       where id = $2
         and user_id = $1
      returning id`,
    values: [userId, draft.id, draft.type, draft.to, draft.topic, draft.content, draft.timestamp],
  })
  return rows.length > 0
}

/** Deletes a draft of a user. Returns whether it existed. */
export async function deleteDraft(tx: Tx, userId: number, draftId: number): Promise<boolean> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'delete-draft',
    text: 'delete from drafts where id = $2 and user_id = $1 returning id',
    values: [userId, draftId],
  })
  return rows.length > 0
}

/** Deletes all drafts of these users. */
export async function deleteAllDrafts(tx: Tx, userIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'delete-all-drafts',
    text: 'delete from drafts where user_id = any($1)',
    values: [userIds],
  })
}
