import type { GuestVisibilityChange } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** A change that users has not applied yet. */
export interface PendingVisibilityChange {
  /** Grows with every change of an organization. */
  readonly number: number
  readonly realmId: number
  readonly requestId: string | null
  readonly change: GuestVisibilityChange
}

/** Whether any change is pending; much cheaper than starting to publish. */
export async function hasUnpublishedChanges(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-pending-visibility-changes',
    text: 'select from guest_visibility_changes limit 1',
  })
  return rows.length > 0
}

/** Allows one replica at a time to publish; false while another one does. */
export async function claimPublishing(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ isClaimed: boolean }>({
    name: 'claim-guest-visibility-publishing',
    text: `select pg_try_advisory_xact_lock(hashtextextended('publishing of guest visibility', 0)) as "isClaimed"`,
  })
  return rows[0]?.isClaimed ?? false
}

/** The oldest pending changes. */
export async function listPendingVisibilityChanges(
  tx: Tx,
  limit: number,
): Promise<PendingVisibilityChange[]> {
  const { rows } = await tx.query<PendingVisibilityChange>({
    name: 'list-pending-visibility-changes',
    text: `
      select id as number, realm_id as "realmId", request_id as "requestId", change::json as change
        from guest_visibility_changes
       order by id
       limit $1`,
    values: [limit],
  })
  return rows
}

/** The oldest pending change of each organization. */
export async function listOldestPending(db: Queryable): Promise<Map<number, number>> {
  const { rows } = await db.query<{ realmId: number; number: number }>({
    name: 'list-oldest-pending-visibility',
    text: 'select realm_id as "realmId", min(id) as number from guest_visibility_changes group by realm_id',
  })
  return new Map(rows.map(({ realmId, number }) => [realmId, number]))
}

/** The newest pending change of each organization. */
export async function listNewestPending(db: Queryable): Promise<{ realmId: number; number: number }[]> {
  const { rows } = await db.query<{ realmId: number; number: number }>({
    name: 'list-newest-pending-visibility',
    text: 'select realm_id as "realmId", max(id) as number from guest_visibility_changes group by realm_id',
  })
  return rows
}

/** Deletes changes that users has applied. */
export async function deletePublishedChanges(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.query('delete from guest_visibility_changes where id = any($1::bigint[])', [numbers])
}
