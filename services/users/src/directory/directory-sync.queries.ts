import type { Queryable } from '@tms/service-kit'

/** Longer than a replica works without renewing its claim. */
const CLAIM_MINUTES = 10

/** The sync of an organization with a directory. */
export interface SyncKey {
  readonly realmId: number
  readonly directory: string
}

/** Organizations of a directory whose next sync is due, of known subdomains; of all but `others` if those are null. */
export async function listDueSyncs(
  db: Queryable,
  directory: string,
  everyMinutes: number,
  subdomains: { readonly own: readonly string[] | null; readonly others: readonly string[] },
): Promise<number[]> {
  const { rows } = await db.query<{ realmId: number }>(
    `select known.realm_id as "realmId"
       from known_realms known
       left join directory_syncs sync on sync.realm_id = known.realm_id and sync.directory = $1
      where known.is_active
        and case when $3::text[] is null then not known.string_id = any ($4::text[])
                 else known.string_id = any ($3::text[])
            end
        and (sync.started_at is null or sync.started_at <= now() - $2::float8 * interval '1 minute')
        and (sync.claimed_until is null or sync.claimed_until < now())
      order by known.realm_id`,
    [directory, everyMinutes, subdomains.own, subdomains.others],
  )
  return rows.map(({ realmId }) => realmId)
}

/** Whether this is the one replica that does the sync now. With `everyMinutes`, only if the last began so long ago. */
export async function claimSync(
  db: Queryable,
  { realmId, directory }: SyncKey,
  everyMinutes: number,
): Promise<boolean> {
  const { rows } = await db.query(
    `insert into directory_syncs as existing (realm_id, directory, started_at, claimed_until)
     values ($1, $2, now(), now() + $4::float8 * interval '1 minute')
     on conflict (realm_id, directory) do update
        set started_at = excluded.started_at, claimed_until = excluded.claimed_until
      where (existing.claimed_until is null or existing.claimed_until < now())
        and existing.started_at <= now() - $3::float8 * interval '1 minute'
     returning realm_id`,
    [realmId, directory, everyMinutes, CLAIM_MINUTES],
  )
  return rows.length > 0
}

export async function renewSyncClaim(db: Queryable, { realmId, directory }: SyncKey): Promise<void> {
  await db.query(
    `update directory_syncs
        set claimed_until = now() + $3::float8 * interval '1 minute'
      where realm_id = $1 and directory = $2`,
    [realmId, directory, CLAIM_MINUTES],
  )
}

/** Ends a claim. A failed sync counts as begun so long ago that the next is due in `retryMinutes`. */
export async function releaseSync(
  db: Queryable,
  { realmId, directory }: SyncKey,
  failure: { readonly everyMinutes: number; readonly retryMinutes: number } | null,
): Promise<void> {
  const earlier = failure === null ? 0 : failure.everyMinutes - failure.retryMinutes
  await db.query(
    `update directory_syncs
        set claimed_until = null, started_at = started_at - $3::float8 * interval '1 minute'
      where realm_id = $1 and directory = $2`,
    [realmId, directory, earlier],
  )
}
