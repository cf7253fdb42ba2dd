import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { activateImports } from '../exports/pending-import.queries.ts'

/**
 * Saves users whose version is newer. Unchanged users take no lock, so that a full reload doesn't disturb.
 * `publishMembershipChanges` publishes what follows from a new role or activity.
 */
export async function saveUsers(db: Queryable, users: readonly UserProjection[]): Promise<void> {
  await db.query({
    name: 'save-users',
    text: `
      insert into known_users (user_id, realm_id, email_key, name_key, version, projection, published_role, published_active)
      select user_id, realm_id, email_key, name_key, version, projection, (projection ->> 'role')::smallint,
             (projection ->> 'is_active')::boolean
        from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::jsonb[])
             as incoming (user_id, realm_id, email_key, name_key, version, projection)
       where not exists (
               select from known_users known
                where known.user_id = incoming.user_id
                  and known.version >= incoming.version)
       order by user_id
          on conflict (user_id) do update
         set (realm_id, email_key, name_key, version, projection) =
             (excluded.realm_id, excluded.email_key, excluded.name_key, excluded.version, excluded.projection)
       where excluded.version > known_users.version`,
    values: [
      users.map(({ user_id }) => user_id),
      users.map(({ realm_id }) => realm_id),
      users.map(({ email }) => caseKey(email)),
      users.map(({ full_name }) => caseKey(full_name)),
      users.map(({ version }) => version),
      users.map((projection) => JSON.stringify(projection)),
    ],
  })
}

/** Records that a new user was subscribed and welcomed; false if it was recorded before. */
export async function markOnboarded(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'mark-onboarded',
    text: 'update known_users set is_onboarded = true where user_id = $1 and not is_onboarded returning user_id',
    values: [userId],
  })
  return rows.length > 0
}

/** Deletes the users of an organization. */
export async function deleteKnownUsers(tx: Tx, realmId: number): Promise<void> {
  await tx.query({
    name: 'delete-known-users',
    text: 'delete from known_users where realm_id = $1',
    values: [realmId],
  })
}

/** Saves organizations whose version is newer. The import of an organization that is active now ends. */
export async function saveRealms(db: Queryable, realms: readonly RealmProjection[]): Promise<void> {
  await db.query({
    name: 'save-realms',
    text: `
      insert into known_realms (realm_id, version, projection)
      select realm_id, version, projection
        from unnest($1::bigint[], $2::bigint[], $3::jsonb[]) as incoming (realm_id, version, projection)
       order by realm_id
          on conflict (realm_id) do update
         set (version, projection) = (excluded.version, excluded.projection)
       where excluded.version > known_realms.version`,
    values: [
      realms.map(({ realm_id }) => realm_id),
      realms.map(({ version }) => version),
      realms.map((projection) => JSON.stringify(projection)),
    ],
  })
  const active = realms.filter(({ is_active }) => is_active)
  await activateImports(
    db,
    active.map(({ realm_id }) => realm_id),
  )
}

/** An organization; null if it is unknown here. */
export async function findKnownRealm(db: Queryable, realmId: number): Promise<RealmProjection | null> {
  const { rows } = await db.query<{ projection: RealmProjection }>({
    name: 'find-known-realm',
    text: 'select projection from known_realms where realm_id = $1',
    values: [realmId],
  })
  return rows[0]?.projection ?? null
}

/** Those of the users who are known here, of any organization. */
export async function listKnownUsers(db: Queryable, userIds: readonly number[]): Promise<UserProjection[]> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: 'list-known-users',
    text: 'select projection from known_users where user_id = any($1)',
    values: [userIds],
  })
  return rows.map(({ projection }) => projection)
}

/** Known users by API e-mail address, ignoring case. */
export async function listKnownUsersByEmail(
  db: Queryable,
  realmId: number,
  emails: readonly string[],
): Promise<UserProjection[]> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: 'list-known-users-by-email',
    text: 'select projection from known_users where realm_id = $1 and email_key = any($2)',
    values: [realmId, emails.map(caseKey)],
  })
  return rows.map(({ projection }) => projection)
}

/** Known users by full name, ignoring case. Names are not unique. */
export async function listKnownUsersByName(
  db: Queryable,
  realmId: number,
  names: readonly string[],
): Promise<UserProjection[]> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: 'list-known-users-by-name',
    text: 'select projection from known_users where realm_id = $1 and name_key = any($2)',
    values: [realmId, names.map(caseKey)],
  })
  return rows.map(({ projection }) => projection)
}

/** The system bot of an organization; null if it isn't known here yet. */
export async function findSystemBot(db: Queryable, realmId: number): Promise<UserProjection | null> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: 'find-system-bot',
    text: `
      select projection
        from known_users
       where realm_id = $1
         and projection -> 'is_system_bot' = 'true'
       limit 1`,
    values: [realmId],
  })
  return rows[0]?.projection ?? null
}

/** IDs of the users who have muted a user. */
export async function listMuters(db: Queryable, realmId: number, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-muters',
    text: `
      select user_id as "userId"
        from known_users
       where projection -> 'muted_user_ids' @> to_jsonb($2::bigint)
         and projection -> 'muted_user_ids' <> '[]'
         and realm_id = $1
       order by user_id`,
    values: [realmId, userId],
  })
  return rows.map((row) => row.userId)
}
