import type { Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'

interface DeletedEntries {
  readonly realmId: number
  readonly count: number
}

interface ExpiredPart {
  readonly realmId: number
  readonly part: number
  /** Older entries are to be deleted. */
  readonly cutoff: Date
}

/**
 * Deletes the expired entries of one thousand IDs, the oldest first; null if there are none, or if another replica deletes some.
 */
export async function deleteExpiredEntries(tx: Tx, minDays: number): Promise<DeletedEntries | null> {
  if (!(await claimRetention(tx))) return null
  const expired = await findExpiredPart(tx, minDays)
  if (!expired) return null
  const { realmId, part, cutoff } = expired
  tx.lockRecord.add(locks.auditLogParts, [realmId])
  await tx.query('select from audit_log_ranges where realm_id = $1 and part = $2 for update', [realmId, part])
  const { rows } = await tx.query<{ count: number }>({
    name: 'audit-delete-expired',
    text: `
      with deleted as (
        delete from audit_log
         where realm_id = $1 and id between $2::bigint * 1000 and $2::bigint * 1000 + 999 and at < $3
        returning id
      )
      select count(*)::int as count from deleted`,
    values: [realmId, part, cutoff],
  })
  await narrowPart(tx, expired)
  return { realmId, count: rows[0]?.count ?? 0 }
}

async function claimRetention(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ isClaimed: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('retention of the audit log', 0)) as "isClaimed"`,
  )
  return rows[0]?.isClaimed ?? false
}

/** Imports and deletions of organizations delete their entries themselves. */
async function findExpiredPart(tx: Tx, minDays: number): Promise<ExpiredPart | null> {
  const { rows } = await tx.query<ExpiredPart>({
    name: 'audit-find-expired-part',
    text: `
      select realm_id as "realmId", part::float8 as part, cutoff
        from (select id,
                     now() - interval '1 day'
                             * greatest((settings ->> 'audit_log_retention_days')::int, $1::int) as cutoff
                from realms
               where (settings ->> 'audit_log_retention_days')::int > 0
                 and import_begun_at is null
                 and not exists (select from realm_deletions where realm_id = realms.id and begun_at is not null)
             ) as keeping
        join audit_log_ranges on realm_id = keeping.id
       where first_at < cutoff
       order by realm_id, part
       limit 1`,
    values: [minDays],
  })
  return rows[0] ?? null
}

/** Says when the entries that are left happened. The row of the highest part stays without any, for the IDs of later ones. */
async function narrowPart(tx: Tx, { realmId, part }: ExpiredPart): Promise<void> {
  await tx.query({
    name: 'audit-narrow-part',
    text: `
      update audit_log_ranges
         set (first_at, last_at) = (
               select coalesce(min(at), 'infinity'), coalesce(max(at), '-infinity')
                 from audit_log
                where realm_id = $1 and id between $2::bigint * 1000 and $2::bigint * 1000 + 999)
       where realm_id = $1 and part = $2`,
    values: [realmId, part],
  })
  await tx.query({
    name: 'audit-delete-empty-part',
    text: `
      delete from audit_log_ranges
       where realm_id = $1 and part = $2 and first_at = 'infinity'
         and part < (select max(part) from audit_log_ranges where realm_id = $1)`,
    values: [realmId, part],
  })
}
