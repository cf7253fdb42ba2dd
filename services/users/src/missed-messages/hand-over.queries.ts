import type { Queryable } from '@tms/service-kit'

interface HandedOver {
  readonly batchId: string
  readonly realmId: number
  readonly userId: number
  readonly at: Date
}

/** Claims a batch; false if it was handed over before. */
export async function claimBatch(
  tx: Queryable,
  { batchId, realmId, userId, at }: HandedOver,
): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into missed_message_batches (id, realm_id, user_id, handed_over_at, mails)
     values ($1, $2, $3, $4, 0)
         on conflict do nothing
     returning id`,
    [batchId, realmId, userId, at.toISOString()],
  )
  return rows.length > 0
}

export async function countBatchMails(tx: Queryable, batchId: string, mails: number): Promise<void> {
  await tx.query('update missed_message_batches set mails = $2 where id = $1 returning id', [batchId, mails])
}

/** How many mails a user has had within the day before. */
export async function countMailsOfDay(db: Queryable, userId: number, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select coalesce(sum(mails), 0)::int as count
       from missed_message_batches
      where user_id = $1
        and handed_over_at > $2::timestamptz - interval '1 day'`,
    [userId, now.toISOString()],
  )
  return rows[0]?.count ?? 0
}

/** Whether an address has active accounts of people in several active organizations. */
export async function hasSeveralAccounts(db: Queryable, foldedAddress: string): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-accounts-of-address',
    text: `
      select count(*)::int as count
        from (select
                from accounts a
                join known_realms r on r.realm_id = a.realm_id and (r.projection ->> 'is_active')::boolean
               where a.delivery_email_lower = $1
                 and a.is_active
                 and not a.is_bot
               limit 2) as found`,
    values: [foldedAddress],
  })
  return (rows[0]?.count ?? 0) > 1
}
