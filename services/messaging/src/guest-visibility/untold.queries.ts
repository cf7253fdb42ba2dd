import type { GuestVisibilityChange } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** A change that users is still to be told of. */
export interface PendingChange {
  /** Grows with every change of an organization. */
  readonly number: number
  readonly realmId: number
  readonly requestId: string | null
  readonly change: GuestVisibilityChange
}

/** Whether there is anything to tell; much cheaper than beginning to. */
export async function hasUnpublishedChanges(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-untold-sights',
    text: 'select from guest_visibility_changes limit 1',
  })
  return rows.length > 0
}

/** Lets one replica at a time tell; false while another does. */
export async function claimTelling(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ isClaimed: boolean }>({
    name: 'claim-guest-sight-telling',
    text: `select pg_try_advisory_xact_lock(hashtextextended('telling of guests'' sight', 0)) as "isClaimed"`,
  })
  return rows[0]?.isClaimed ?? false
}

/** The oldest changes that are still to be told. */
export async function listPendingVisibilityChanges(tx: Tx, limit: number): Promise<PendingChange[]> {
  const { rows } = await tx.query<PendingChange>({
    name: 'list-untold-sights',
    text: `
      select id as number, realm_id as "realmId", request_id as "requestId", change::json as change
        from guest_visibility_changes
       order by id
       limit $1`,
    values: [limit],
  })
  return rows
}

/** The oldest change of each organization that is still to be told. */
export async function listOldestPending(db: Queryable): Promise<Map<number, number>> {
  const { rows } = await db.query<{ realmId: number; number: number }>({
    name: 'list-oldest-untold-sights',
    text: 'select realm_id as "realmId", min(id) as number from guest_visibility_changes group by realm_id',
  })
  return new Map(rows.map(({ realmId, number }) => [realmId, number]))
}

/** The newest change of each organization that is still to be told. */
export async function listNewestPending(db: Queryable): Promise<{ realmId: number; number: number }[]> {
  const { rows } = await db.query<{ realmId: number; number: number }>({
    name: 'list-newest-untold-sights',
    text: 'select realm_id as "realmId", max(id) as number from guest_visibility_changes group by realm_id',
  })
  return rows
}

/** Forgets what has been told. */
export async function deletePublishedChanges(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.query('delete from guest_visibility_changes where id = any($1::bigint[])', [numbers])
}
