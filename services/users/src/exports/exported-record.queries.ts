import { groupPermissionNames, type UsersRecordOf } from '@tms/contracts'
import { readRows, type Tx } from '@tms/service-kit'

const seconds = (column: string): string => `extract(epoch from ${column})::float8`

const ACCOUNT = `
  id as user_id, delivery_email, full_name, role, is_active, ${seconds('date_joined')} as date_joined, timezone,
  email_address_visibility, avatar_version, avatar_file, settings, alert_words, seen_onboarding_steps,
  muted_users, status, profile_data`

/** Approximate number of records in a full export, for progress. */
export async function countRecords(tx: Tx, realmId: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select (select count(*) from accounts where realm_id = $1)
          + (select count(*) from bot_storage join accounts on id = user_id where realm_id = $1)
          + (select count(*) from saved_snippets join accounts on accounts.id = user_id where realm_id = $1)
          + (select count(*) from scim_accounts where realm_id = $1)
          + (select count(*) from user_groups where realm_id = $1)
          + (select count(*) from invitations where realm_id = $1) as count`,
    [realmId],
  )
  return rows[0]?.count ?? 0
}

/** The organization's default settings, if it has any. */
export function readSettingDefaults(
  tx: Tx,
  realmId: number,
): AsyncIterable<UsersRecordOf<'setting_defaults'>> {
  return readRows(
    tx,
    `select 'setting_defaults' as kind, settings from setting_defaults where realm_id = $1 and settings <> '{}'`,
    [realmId],
  )
}

export function readUsers(tx: Tx, realmId: number): AsyncIterable<UsersRecordOf<'user'>> {
  return readRows(
    tx,
    `select 'user' as kind, ${ACCOUNT} from accounts where realm_id = $1 and not is_bot order by id`,
    [realmId],
  )
}

export function readBots(tx: Tx, realmId: number): AsyncIterable<UsersRecordOf<'bot'>> {
  return readRows(
    tx,
    `select 'bot' as kind, ${ACCOUNT}, bot_type, bot_owner_id, is_system_bot, default_sending_stream_id,
            default_events_register_stream_id, default_sending_stream, default_events_register_stream,
            coalesce(default_all_public_streams, false) as default_all_public_streams,
            payload_url, service_interface, coalesce(config_data, '{}') as config_data
       from accounts
       left join bots on bots.user_id = accounts.id
      where realm_id = $1
        and is_bot
      order by id`,
    [realmId],
  )
}

/** Rows in memory at once: one may have a megabyte. */
const STORED_AT_ONCE = 50

export function readBotStorage(tx: Tx, realmId: number): AsyncIterable<UsersRecordOf<'bot_storage'>> {
  return readRows(
    tx,
    `select 'bot_storage' as kind, user_id, key, value
       from bot_storage
       join accounts on id = user_id
      where realm_id = $1
      order by user_id, key`,
    [realmId],
    STORED_AT_ONCE,
  )
}

export function readSavedSnippets(tx: Tx, realmId: number): AsyncIterable<UsersRecordOf<'saved_snippet'>> {
  return readRows(
    tx,
    `select 'saved_snippet' as kind, user_id, title, content, ${seconds('created_at')} as date_created
       from saved_snippets
       join accounts on accounts.id = user_id
      where realm_id = $1
      order by user_id, saved_snippets.id`,
    [realmId],
  )
}

export function readProvisionedUsers(
  tx: Tx,
  realmId: number,
): AsyncIterable<UsersRecordOf<'provisioned_user'>> {
  return readRows(
    tx,
    `select 'provisioned_user' as kind, account_id as user_id, external_id, user_name, is_deleted
       from scim_accounts
      where realm_id = $1
      order by account_id`,
    [realmId],
  )
}

const GROUP_PERMISSIONS = groupPermissionNames.map((name) => `permissions -> '${name}' as ${name}`).join(', ')

export function readGroups(tx: Tx, realmId: number): AsyncIterable<UsersRecordOf<'user_group'>> {
  return readRows(
    tx,
    `select 'user_group' as kind, id, name, description, member_ids as members,
            subgroup_ids as direct_subgroup_ids, creator_id, ${seconds('created_at')} as date_created,
            is_deactivated as deactivated, ${GROUP_PERMISSIONS}
       from user_groups
      where realm_id = $1
      order by id`,
    [realmId],
  )
}

/** Without expired ones. */
export function readInvitations(tx: Tx, realmId: number): AsyncIterable<UsersRecordOf<'invitation'>> {
  return readRows(
    tx,
    `select 'invitation' as kind, id, email, creator_id as invited_by_user_id, invited_as,
            channel_ids as stream_ids, group_ids, with_default_channels as include_realm_default_subscriptions,
            notify_creator as notify_referrer_on_join, ${seconds('invited_at')} as invited,
            ${seconds('expires_at')} as expiry_date
       from invitations
      where realm_id = $1
        and (expires_at is null or expires_at > now())
      order by id`,
    [realmId],
  )
}

/** Accounts whose private data may be exported: of users who agreed to that, and of their bots. */
export async function listConsentingIds(tx: Tx, realmId: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select account.id
       from accounts account
       left join accounts owner on owner.id = account.bot_owner_id
      where account.realm_id = $1
        and coalesce(owner.settings, account.settings) @> '{"allow_private_data_export": true}'`,
    [realmId],
  )
  return rows.map(({ id }) => id)
}

/** Base names of uploaded avatars. */
export function readAvatars(tx: Tx, realmId: number): AsyncIterable<{ id: number; file: string }> {
  return readRows(
    tx,
    `select id, avatar_file as file from accounts where realm_id = $1 and avatar_file is not null order by id`,
    [realmId],
  )
}
