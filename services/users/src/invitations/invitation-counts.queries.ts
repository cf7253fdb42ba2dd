import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'

/** Invitations sent today (UTC) by each counter, in the given order. Locks the counters until the transaction ends. */
export async function lockInvitationCounts(
  tx: Tx,
  counters: readonly string[],
  now: Date,
): Promise<number[]> {
  tx.lockRecord.add(locks.limits, counters)
  const { rows } = await tx.query<{ counter: string; sent: number }>(
    `insert into invitation_counts as existing (counter, day, sent)
     select counter, ($2::timestamptz at time zone 'utc')::date, 0
       from unnest($1::text[]) as counter
      order by counter
         on conflict (counter, day) do update set sent = existing.sent
     returning counter, sent`,
    [counters, now.toISOString()],
  )
  const sent = new Map(rows.map((row) => [row.counter, row.sent]))
  return counters.map((counter) => sent.get(counter) ?? 0)
}

/** Counts invitations as sent. The counters must be locked. */
export async function addToInvitationCounts(
  tx: Queryable,
  counters: readonly string[],
  sent: number,
  now: Date,
): Promise<void> {
  await tx.query(
    `update invitation_counts
        set sent = sent + $3::int
      where counter = any ($1::text[])
        and day = ($2::timestamptz at time zone 'utc')::date
     returning counter`,
    [counters, now.toISOString(), sent],
  )
}

/** When the organization's first account was created. */
export async function findRealmStart(tx: Queryable, realmId: number): Promise<Date | null> {
  const { rows } = await tx.query<{ startedAt: Date }>(
    `select date_joined as "startedAt" from accounts where realm_id = $1::int order by id limit 1`,
    [realmId],
  )
  return rows[0]?.startedAt ?? null
}
