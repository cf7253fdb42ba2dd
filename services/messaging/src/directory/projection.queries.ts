import type { RealmFacts, UserFacts } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

const USER_COLUMNS =
  'user_id, realm_id, email, full_name, role, is_bot, is_active, avatar_url, is_gravatar, version'
const REALM_COLUMNS = `
  realm_id, string_id, name, url, is_active, mandatory_topics, waiting_period_threshold,
  create_public_stream_policy, create_private_stream_policy, create_web_public_stream_policy,
  invite_to_stream_policy, wildcard_mention_policy, private_message_policy, version`

/**
 * Keeps what is newer than what is known. Facts that are no news take no lock, so a reload of everything
 * doesn't disturb.
 */
export async function saveUsers(db: Queryable, users: readonly UserFacts[]): Promise<void> {
  await db.query({
    name: 'save-users',
    text: `
      insert into known_users (${USER_COLUMNS})
      select ${USER_COLUMNS}
        from jsonb_populate_recordset(null::known_users, $1::jsonb) told
       where not exists (
               select from known_users known
                where known.user_id = told.user_id
                  and known.version >= told.version)
       order by user_id
          on conflict (user_id) do update
         set (realm_id, email, full_name, role, is_bot, is_active, avatar_url, is_gravatar, version) =
             (excluded.realm_id, excluded.email, excluded.full_name, excluded.role, excluded.is_bot,
              excluded.is_active, excluded.avatar_url, excluded.is_gravatar, excluded.version)
       where excluded.version > known_users.version`,
    values: [JSON.stringify(users)],
  })
}

/** Keeps what is newer than what is known. */
export async function saveRealms(db: Queryable, realms: readonly RealmFacts[]): Promise<void> {
  await db.query({
    name: 'save-realms',
    text: `
      insert into known_realms (${REALM_COLUMNS})
      select ${REALM_COLUMNS}
        from jsonb_populate_recordset(null::known_realms, $1::jsonb) told
       order by realm_id
          on conflict (realm_id) do update
         set (string_id, name, url, is_active, mandatory_topics, waiting_period_threshold,
              create_public_stream_policy, create_private_stream_policy, create_web_public_stream_policy,
              invite_to_stream_policy, wildcard_mention_policy, private_message_policy, version) =
             (excluded.string_id, excluded.name, excluded.url, excluded.is_active,
              excluded.mandatory_topics, excluded.waiting_period_threshold,
              excluded.create_public_stream_policy, excluded.create_private_stream_policy,
              excluded.create_web_public_stream_policy, excluded.invite_to_stream_policy,
              excluded.wildcard_mention_policy, excluded.private_message_policy, excluded.version)
       where excluded.version > known_realms.version`,
    values: [JSON.stringify(realms)],
  })
}

/** The organization, if it is known here. */
export async function findKnownRealm(db: Queryable, realmId: number): Promise<RealmFacts | null> {
  const { rows } = await db.query<RealmFacts>({
    name: 'find-known-realm',
    text: `select ${REALM_COLUMNS} from known_realms where realm_id = $1`,
    values: [realmId],
  })
  return rows[0] ?? null
}

/** Those of these users who are known here, of whatever organization. */
export async function listKnownUsers(db: Queryable, userIds: readonly number[]): Promise<UserFacts[]> {
  const { rows } = await db.query<UserFacts>({
    name: 'list-known-users',
    text: `select ${USER_COLUMNS} from known_users where user_id = any($1)`,
    values: [userIds],
  })
  return rows
}

/** Those known here by API e-mail, ignoring case. */
export async function listKnownUsersByEmail(
  db: Queryable,
  realmId: number,
  emails: readonly string[],
): Promise<UserFacts[]> {
  const { rows } = await db.query<UserFacts>({
    name: 'list-known-users-by-email',
    text: `
      select ${USER_COLUMNS}
        from known_users
       where realm_id = $1
         and lower(email) in (select lower(wanted) from unnest($2::text[]) as w (wanted))`,
    values: [realmId, emails],
  })
  return rows
}

/** Those known here by full name, ignoring case; names are not unique. */
export async function listKnownUsersByName(
  db: Queryable,
  realmId: number,
  names: readonly string[],
): Promise<UserFacts[]> {
  const { rows } = await db.query<UserFacts>({
    name: 'list-known-users-by-name',
    text: `
      select ${USER_COLUMNS}
        from known_users
       where realm_id = $1
         and lower(full_name) in (select lower(wanted) from unnest($2::text[]) as w (wanted))`,
    values: [realmId, names],
  })
  return rows
}
