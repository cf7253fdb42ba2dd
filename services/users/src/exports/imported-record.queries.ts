import { type BotData, groupPermissionNames, type UsersRecordOf } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'

/** A row of `accounts`: exported fields and new ones. */
export type ImportedAccount = Omit<UsersRecordOf<'user'>, 'kind' | 'delivery_email'> & {
  readonly email: string
  readonly delivery_email: string
  readonly api_key: string
  readonly is_bot: boolean
  readonly bot_type: number | null
  readonly bot_owner_id: number | null
  readonly is_system_bot: boolean
}

/** A row of `bots`; an outgoing webhook has a new token. */
export type ImportedBot = Pick<
  UsersRecordOf<'bot'>,
  | 'user_id'
  | 'default_sending_stream_id'
  | 'default_events_register_stream_id'
  | 'default_sending_stream'
  | 'default_events_register_stream'
  | 'default_all_public_streams'
  | 'payload_url'
  | 'service_interface'
> & { readonly service_token: string | null; readonly config_data: BotData }

/**
 * Versions derived from the time: higher than any that consumers may remember for a removed record with the same ID.
 */
const VERSION = '(extract(epoch from now()) - 1700000000)::int'

export async function insertSettingDefaults(
  tx: Tx,
  realmId: number,
  settings: UsersRecordOf<'setting_defaults'>['settings'],
): Promise<void> {
  await tx.query('insert into setting_defaults (realm_id, settings) values ($1, $2::jsonb)', [
    realmId,
    JSON.stringify(settings),
  ])
}

export async function insertAccounts(
  tx: Tx,
  realmId: number,
  accounts: readonly ImportedAccount[],
): Promise<void> {
  await tx.query(
    `insert into accounts (
            id, realm_id, email, delivery_email, full_name, api_key, role, is_active, is_bot, bot_type, bot_owner_id,
            is_system_bot, timezone, date_joined, avatar_source, avatar_version, avatar_file,
            email_address_visibility, settings, alert_words, seen_onboarding_steps, muted_users, status,
            profile_data, version)
     overriding system value
     select user_id, $2, email, delivery_email, full_name, api_key, role, is_active, is_bot, bot_type, bot_owner_id,
            is_system_bot, timezone, to_timestamp(date_joined), case when avatar_file is null then 'G' else 'U' end,
            avatar_version, avatar_file,
            email_address_visibility, settings, alert_words, coalesce(seen_onboarding_steps, '[]'), muted_users, status,
            profile_data, ${VERSION}
       from jsonb_to_recordset($1::jsonb) as imported (
            user_id int, email text, delivery_email text, full_name text, api_key text, role smallint,
            is_active boolean, is_bot boolean, bot_type smallint, bot_owner_id int, is_system_bot boolean,
            timezone text, date_joined float8, avatar_version int, avatar_file text,
            email_address_visibility smallint, settings jsonb, alert_words jsonb, seen_onboarding_steps jsonb, muted_users jsonb, status jsonb,
            profile_data jsonb)`,
    [JSON.stringify(accounts), realmId],
  )
}

/** The accounts must exist. */
export async function insertBots(tx: Tx, bots: readonly ImportedBot[]): Promise<void> {
  await tx.query(
    `insert into bots (
            user_id, default_sending_stream_id, default_events_register_stream_id, default_sending_stream,
            default_events_register_stream, default_all_public_streams, payload_url, service_token, service_interface, config_data)
     select user_id, default_sending_stream_id, default_events_register_stream_id, default_sending_stream,
            default_events_register_stream, default_all_public_streams, payload_url, service_token, service_interface, config_data
       from jsonb_to_recordset($1::jsonb) as imported (
            user_id int, default_sending_stream_id int, default_events_register_stream_id int, default_sending_stream text, default_events_register_stream text,
            default_all_public_streams boolean, payload_url text, service_token text, service_interface smallint, config_data jsonb)`,
    [JSON.stringify(bots)],
  )
}

/**
 * Returns how many entries were inserted: fewer than given if one doesn't belong to a bot of the organization, or
 * repeats a key.
 */
export async function insertBotStorage(
  tx: Tx,
  realmId: number,
  entries: readonly UsersRecordOf<'bot_storage'>[],
): Promise<number> {
  const { rows } = await tx.query<{ inserted: number }>(
    `with inserted as (
       insert into bot_storage (user_id, key, value)
       select user_id, key, value
         from json_to_recordset($1::json) as imported (user_id int, key text, value text)
         join accounts on id = user_id
        where realm_id = $2
          and is_bot
           on conflict do nothing
       returning 1
     )
     select count(*)::int as inserted from inserted`,
    [JSON.stringify(entries), realmId],
  )
  return rows[0]?.inserted ?? 0
}

/** Returns how many were inserted: fewer than given if one belongs to no user of the organization. */
export async function insertSavedSnippets(
  tx: Tx,
  realmId: number,
  snippets: readonly UsersRecordOf<'saved_snippet'>[],
): Promise<number> {
  const { rows } = await tx.query<{ inserted: number }>(
    `with inserted as (
       insert into saved_snippets (user_id, title, content, created_at)
       select user_id, title, content, to_timestamp(date_created)
         from rows from (
                json_to_recordset($1::json) as (user_id int, title text, content text, date_created float8)
              ) with ordinality as imported (user_id, title, content, date_created, nth)
         join accounts on accounts.id = user_id
        where realm_id = $2
        order by nth
       returning 1
     )
     select count(*)::int as inserted from inserted`,
    [JSON.stringify(snippets), realmId],
  )
  return rows[0]?.inserted ?? 0
}

/**
 * Returns how many were inserted: fewer than given if one is no person of the organization, or two have one user name.
 */
export async function insertProvisionedUsers(
  tx: Tx,
  realmId: number,
  users: readonly (UsersRecordOf<'provisioned_user'> & { readonly user_name_lower: string | null })[],
): Promise<number> {
  const { rows } = await tx.query<{ inserted: number }>(
    `with inserted as (
       insert into scim_accounts (account_id, realm_id, external_id, user_name, user_name_lower, is_deleted)
       select user_id, $2, external_id, user_name, user_name_lower, is_deleted
         from json_to_recordset($1::json) as imported (
              user_id int, external_id text, user_name text, user_name_lower text, is_deleted boolean)
         join accounts on accounts.id = user_id
        where realm_id = $2
          and not is_bot
           on conflict do nothing
       returning 1
     )
     select count(*)::int as inserted from inserted`,
    [JSON.stringify(users), realmId],
  )
  return rows[0]?.inserted ?? 0
}

const permissionsOf = (group: UsersRecordOf<'user_group'>) =>
  Object.fromEntries(groupPermissionNames.map((name) => [name, group[name]]))

export async function insertGroups(
  tx: Tx,
  realmId: number,
  groups: readonly (UsersRecordOf<'user_group'> & { readonly name_key: string })[],
): Promise<void> {
  await tx.query(
    `insert into user_groups (
            id, realm_id, name, name_key, description, member_ids, subgroup_ids, creator_id, created_at, permissions,
            is_deactivated, version)
     select id, $2, name, name_key, description, members, direct_subgroup_ids, creator_id,
            to_timestamp(date_created), permissions, deactivated, ${VERSION}
       from jsonb_to_recordset($1::jsonb) as imported (
            id int, name text, name_key text, description text, members int[], direct_subgroup_ids int[],
            creator_id int, date_created float8, permissions jsonb, deactivated boolean)`,
    [JSON.stringify(groups.map((group) => ({ ...group, permissions: permissionsOf(group) }))), realmId],
  )
}

export async function insertImportedInvitations(
  tx: Tx,
  realmId: number,
  invitations: readonly UsersRecordOf<'invitation'>[],
): Promise<void> {
  await tx.query(
    `insert into invitations (
            id, realm_id, email, creator_id, invited_as, channel_ids, group_ids, with_default_channels,
            notify_creator, invited_at, expires_at)
     overriding system value
     select id, $2, email, invited_by_user_id, invited_as, stream_ids, group_ids, include_realm_default_subscriptions,
            notify_referrer_on_join, to_timestamp(invited), to_timestamp(expiry_date)
       from jsonb_to_recordset($1::jsonb) as imported (
            id int, email text, invited_by_user_id int, invited_as smallint, stream_ids int[], group_ids int[],
            include_realm_default_subscriptions boolean, notify_referrer_on_join boolean, invited float8,
            expiry_date float8)`,
    [JSON.stringify(invitations), realmId],
  )
}
