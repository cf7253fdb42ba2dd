import type { Queryable, Tx } from '@tms/service-kit'

/** The highest message ID issued so far, stored or not; 0 if there was none. */
export async function findLastIssued(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-last-issued-to-decide',
    text: `select case when is_called then last_value else 0 end as id from message_ids`,
  })
  return rows[0]?.id ?? 0
}

/** The transaction of this statement, and whether all transactions before `earlierXid` have ended. */
export async function findTransaction(
  db: Queryable,
  earlierXid: string,
): Promise<{ readonly xid: string; readonly haveEarlierEnded: boolean }> {
  const { rows } = await db.query<{ xid: string; haveEarlierEnded: boolean }>({
    name: 'find-transaction-to-decide',
    text: `
      select pg_current_xact_id()::text as xid,
             pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as "haveEarlierEnded"`,
    values: [earlierXid],
  })
  return rows[0] ?? { xid: '0', haveEarlierEnded: false }
}

/** Leases the decisions for `leaseMs`, and returns up to where they are made; null if another replica has them. */
export async function leaseDecisions(db: Queryable, holder: string, leaseMs: number): Promise<number | null> {
  const { rows } = await db.query<{ upTo: number }>({
    name: 'lease-missed-message-decisions',
    text: `
      update missed_message_progress
         set holder = $1,
             leased_until = clock_timestamp() + $2 * interval '1 millisecond'
       where holder = $1
          or leased_until < clock_timestamp()
      returning up_to as "upTo"`,
    values: [holder, leaseMs],
  })
  return rows[0]?.upTo ?? null
}

/** Gives the lease back, so that another replica goes on at once. */
export async function returnDecisions(db: Queryable, holder: string): Promise<void> {
  await db.query({
    name: 'return-missed-message-decisions',
    text: 'update missed_message_progress set leased_until = clock_timestamp() where holder = $1',
    values: [holder],
  })
}

/** Records that it is decided up to a message; false if another replica has done so since `from` was read. */
export async function advanceDecisions(tx: Tx, from: number, upTo: number): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'advance-missed-message-decisions',
    text: 'update missed_message_progress set up_to = $2 where up_to = $1 returning up_to',
    values: [from, upTo],
  })
  return rows.length > 0
}

/** The last of the next `limit` messages after `from`, or `upTo` if there are fewer. */
export async function findRangeEnd(
  db: Queryable,
  from: number,
  upTo: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-end-of-undecided',
    text: 'select id from messages where id > $1 and id <= $2 order by id offset $3 limit 1',
    values: [from, upTo, limit - 1],
  })
  return rows[0]?.id ?? upTo
}

/** How many message IDs were issued since the last decided one. */
export async function countUndecided(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-undecided-messages',
    text: `
      select greatest(0, case when is_called then last_value else 0 end - up_to) as count
        from message_ids, missed_message_progress`,
  })
  return rows[0]?.count ?? 0
}
