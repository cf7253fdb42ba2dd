import {
  type DeletionStep,
  deleteRows,
  leaveUnannounced,
  type Pool,
  type Queryable,
  transact,
} from '@tms/service-kit'

type RowStep = DeletionStep<{ readonly db: Pool }>

/** Accounts of one transaction. */
const FEW = 100
const OWN_ACCOUNTS = 'select id from accounts where realm_id = $1'

/** Jobs that haven't run: mails of the organization, and work on what is deleted. Running ones end by themselves. */
const deleteJobs: RowStep = async ({ db }, realmId) => {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from graphile_worker.complete_jobs(array(
              select id
                from graphile_worker._private_jobs
               where payload -> 'realm' ->> 'url' = (select projection ->> 'url' from known_realms where realm_id = $1)
                  or coalesce(payload ->> 'realmId', payload ->> 'realm_id') = $1::text
                  or (payload ->> 'invitation_id')::int in (select id from invitations where realm_id = $1)))`,
    [realmId],
  )
  return rows[0]?.count ?? 0
}

/** Deletes accounts, with what belongs to them: bots first, which refer to their owners. */
const deleteAccounts =
  (condition: string): RowStep =>
  ({ db }, realmId) =>
    transact(db, async (tx) => {
      await leaveUnannounced(tx)
      const { rows } = await tx.query<{ id: number }>(
        `select id from accounts where realm_id = $1 and ${condition} limit $2`,
        [realmId, FEW],
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      for (const [table, column] of [
        ['bots', 'user_id'],
        ['waiting_members', 'user_id'],
        ['password_resets', 'account_id'],
        ['accounts', 'id'],
      ] as const)
        await tx.query(`delete from ${table} where ${column} = any ($1::int[])`, [ids])
      return ids.length
    })

/** Deletes rows in an order that foreign keys allow. */
export const rowSteps: readonly RowStep[] = [
  deleteJobs,
  deleteRows('push_deliveries', 'realm_id = $1'),
  deleteRows('address_confirmations', 'realm_id = $1'),
  deleteRows('invitation_links', 'realm_id = $1'),
  deleteRows('invitations', 'realm_id = $1'),
  deleteRows('user_groups', 'realm_id = $1'),
  deleteRows('guest_visibility', `guest_id in (${OWN_ACCOUNTS})`),
  deleteAccounts('is_bot'),
  deleteAccounts('not is_bot'),
  deleteRows('waiting_members', 'realm_id = $1'),
  deleteRows('guest_visibility_policies', 'realm_id = $1'),
  deleteRows('missed_message_batches', 'realm_id = $1'),
  deleteRows('push_hand_overs', 'realm_id = $1'),
  deleteRows('digests', 'realm_id = $1'),
  deleteRows(
    'announcement_recipients',
    'announcement_id in (select id from announcements where realm_id = $1)',
  ),
  deleteRows('announcements', 'realm_id = $1'),
  deleteRows('setting_defaults', 'realm_id = $1'),
  deleteRows('directory_syncs', 'realm_id = $1'),
  deleteRows('scim_tokens', 'realm_id = $1'),
  deleteRows('password_attempts', 'realm_id = $1'),
  deleteRows('invitation_counts', "counter = concat('realm ', $1::int)"),
  deleteRows('mail_requests', "strpos(subject, concat(' in realm ', $1::int, ' for ')) > 0"),
]

/** Deletes the copy of an organization that no longer exists, and what else has its ID. */
export async function deleteKnownRealm(tx: Queryable, realmId: number): Promise<void> {
  for (const table of ['guest_visibility_policies', 'directory_syncs', 'scim_tokens', 'known_realms'])
    await tx.query(`delete from ${table} where realm_id = $1`, [realmId])
}
