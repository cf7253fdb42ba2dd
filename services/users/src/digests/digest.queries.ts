import type { Queryable, Tx } from '@tms/service-kit'

/** Up to where digests are mailed: the hour, the organization and the account. */
export interface DigestPosition {
  readonly slot: Date
  readonly realmId: number
  readonly userId: number
}

const POSITION = 'slot, at_realm_id as "realmId", at_user_id as "userId"'

/** Leases the digests for `leaseMs`; null if another replica has them. */
export async function leaseDigests(
  db: Queryable,
  holder: string,
  leaseMs: number,
): Promise<DigestPosition | null> {
  const { rows } = await db.query<DigestPosition>(
    `update digest_progress
        set holder = $1::uuid,
            leased_until = clock_timestamp() + $2::int * interval '1 millisecond'
      where holder = $1::uuid
         or leased_until < clock_timestamp()
     returning ${POSITION}`,
    [holder, leaseMs],
  )
  return rows[0] ?? null
}

/** Gives the lease back, so that another replica goes on at once. */
export async function returnDigests(db: Queryable, holder: string): Promise<void> {
  await db.query(
    'update digest_progress set leased_until = clock_timestamp() where holder = $1::uuid returning slot',
    [holder],
  )
}

/** Records up to where digests are mailed; false if another replica has done so since `from` was read. */
export async function advanceDigests(
  tx: Queryable,
  from: DigestPosition,
  to: DigestPosition,
): Promise<boolean> {
  const { rows } = await tx.query(
    `update digest_progress
        set slot = $4::timestamptz,
            at_realm_id = $5,
            at_user_id = $6
      where slot = $1::timestamptz
        and at_realm_id = $2
        and at_user_id = $3
     returning slot`,
    [from.slot.toISOString(), from.realmId, from.userId, to.slot.toISOString(), to.realmId, to.userId],
  )
  return rows.length > 0
}

/** The first active organization from an ID on that has digests on one of these weekdays; null if there is none. */
export async function findDigestRealm(
  db: Queryable,
  fromId: number,
  weekdays: readonly number[],
): Promise<{ readonly realmId: number; readonly weekday: number } | null> {
  const { rows } = await db.query<{ realmId: number; weekday: number }>(
    `select realm_id as "realmId", (projection ->> 'digest_weekday')::int as weekday
       from known_realms
      where realm_id >= $1
        and projection -> 'is_active' = 'true'
        and projection -> 'digest_emails_enabled' = 'true'
        and (projection ->> 'digest_weekday')::int = any ($2::int[])
      order by realm_id
      limit 1`,
    [fromId, weekdays],
  )
  return rows[0] ?? null
}

export interface DigestCandidate {
  readonly id: number
  readonly timezone: string
  readonly joinedAt: Date
  /** Whether such an account gets digests, its time aside. */
  readonly isWilling: boolean
  readonly latestDigestAt: Date | null
}

/** The next `limit` accounts of an organization after one, by ID. */
export async function listDigestCandidates(
  db: Queryable,
  realmId: number,
  afterId: number,
  limit: number,
): Promise<DigestCandidate[]> {
  const { rows } = await db.query<DigestCandidate>(
    `select a.id, a.timezone, a.date_joined as "joinedAt",
            a.is_active and not a.is_bot and not a.settings @> '{"enable_digest_emails": false}' as "isWilling",
            d.mailed_at as "latestDigestAt"
       from (select id, timezone, date_joined, is_active, is_bot, settings
               from accounts
              where realm_id = $1
                and id > $2
              order by id
              limit $3) a
       left join digests d on d.user_id = a.id
      order by a.id`,
    [realmId, afterId, limit],
  )
  return rows
}

/** Records that users get a digest. */
export async function recordDigests(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
  at: Date,
): Promise<void> {
  if (userIds.length === 0) return
  await tx.query(
    `insert into digests (user_id, realm_id, mailed_at)
     select user_id, $2, $3::timestamptz
       from unnest($1::int[]) as mailed (user_id)
         on conflict (user_id) do update set mailed_at = excluded.mailed_at
     returning user_id`,
    [userIds, realmId, at.toISOString()],
  )
}

/** The hour whose digests are being mailed, or the next one; null if the table is empty. */
export async function findDigestSlot(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ slot: Date }>('select slot from digest_progress')
  return rows[0]?.slot ?? null
}
