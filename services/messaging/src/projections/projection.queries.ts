import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { activateImports } from '../exports/pending-import.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'

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
