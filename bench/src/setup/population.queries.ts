import { Role, type UserProjection } from '@tms/contracts'
import type pg from 'pg'

/** An account that can sign in. */
export interface BulkAccount {
  readonly userId: number
  readonly email: string
  readonly apiKey: string
}

/** The organization of an account, in the users database. */
export async function findRealmId(users: pg.Client, userId: number): Promise<number> {
  const { rows } = await users.query<{ realm_id: number }>('select realm_id from accounts where id = $1', [
    userId,
  ])
  const [row] = rows
  if (!row) throw new Error(`there is no account ${userId}`)
  return row.realm_id
}

/** Creates accounts without passwords, in the users database; `first` is the number of the first one. */
export async function insertAccounts(
  users: pg.Client,
  realmId: number,
  { first, count }: { first: number; count: number },
): Promise<BulkAccount[]> {
  const { rows } = await users.query<BulkAccount>(
    `insert into accounts (realm_id, email, delivery_email, full_name, api_key, role)
     select $1, 'bench' || n || '@example.com', 'bench' || n || '@example.com', 'Bench ' || n,
            md5(random()::text || n), 400
       from generate_series($2::integer, $2::integer + $3::integer - 1) as n
     returning id as "userId", email, api_key as "apiKey"`,
    [realmId, first, count],
  )
  return rows
}

/** The projection of a user with default settings, without the name and address. */
const PLAIN_PROJECTION: Omit<UserProjection, 'user_id' | 'realm_id' | 'email' | 'full_name'> = {
  role: Role.member,
  is_bot: false,
  is_active: true,
  avatar_url: '',
  is_gravatar: false,
  date_joined: 0,
  bot_owner_id: null,
  is_system_bot: false,
  email_address_visibility: 1,
  settings: {
    translate_emoticons: false,
    enable_drafts_synchronization: true,
    receives_typing_notifications: true,
    send_private_typing_notifications: true,
    send_stream_typing_notifications: true,
    send_read_receipts: true,
    automatically_follow_topics_policy: 3,
    automatically_unmute_topics_in_muted_streams_policy: 2,
    enable_stream_desktop_notifications: false,
    enable_stream_audible_notifications: false,
    enable_stream_push_notifications: false,
    enable_stream_email_notifications: false,
    automatically_follow_topics_where_mentioned: true,
    allow_private_data_export: false,
    enable_offline_email_notifications: true,
    wildcard_mentions_notify: true,
    enable_followed_topic_email_notifications: true,
    enable_followed_topic_wildcard_mentions_notify: true,
    email_notifications_batching_period_seconds: 120,
    enable_offline_push_notifications: true,
    enable_online_push_notifications: true,
    enable_followed_topic_push_notifications: true,
    quiet_hours_enabled: false,
  },
  alert_words: [],
  muted_user_ids: [],
  version: 1,
}

const insertKnown = (people: string) => `
  insert into known_users (user_id, realm_id, email_key, name_key, version, published_role, published_active, projection)
  select user_id, $1::bigint, email, email, 1, ($2::jsonb ->> 'role')::smallint, true,
         $2::jsonb || jsonb_build_object('user_id', user_id, 'realm_id', $1::bigint, 'email', email, 'full_name', email)
    from (${people}) people
      on conflict (user_id) do nothing`

/** Inserts projections of existing accounts into messaging's database. */
export async function insertKnownUsers(
  messaging: pg.Client,
  realmId: number,
  accounts: readonly BulkAccount[],
): Promise<void> {
  await messaging.query(
    insertKnown('select user_id, email from unnest($3::bigint[], $4::text[]) as new_users (user_id, email)'),
    [
      realmId,
      JSON.stringify(PLAIN_PROJECTION),
      accounts.map(({ userId }) => userId),
      accounts.map(({ email }) => email),
    ],
  )
}

/** Inserts projections of users without an account into messaging's database: enough to subscribe them. */
export async function insertOtherKnownUsers(
  messaging: pg.Client,
  realmId: number,
  firstId: number,
  count: number,
): Promise<void> {
  await messaging.query(
    insertKnown(`
      select id as user_id, 'other' || id || '@example.com' as email
        from generate_series($3::bigint, $3::bigint + $4::bigint - 1) as id`),
    [realmId, JSON.stringify(PLAIN_PROJECTION), firstId, count],
  )
}

/** Subscribes users to a channel as messaging does: they receive messages from now on. */
export async function insertSubscriptions(
  messaging: pg.Client,
  channelId: number,
  userIds: readonly number[],
): Promise<void> {
  await messaging.query(
    `insert into subscriptions (channel_id, user_id, is_active, received, color)
     select channels.id, new_users.user_id, true, int8multirange(int8range(recipients.last_message_id + 1, null)), '#76ce90'
       from unnest($2::bigint[]) as new_users (user_id)
       join channels on channels.id = $1
       join recipients on recipients.id = channels.recipient_id
         on conflict (channel_id, user_id) do nothing`,
    [channelId, userIds],
  )
}

/** Creates statistics and visibility maps as in a database in use, and runs a due checkpoint. */
export async function analyze(client: pg.Client): Promise<void> {
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** The server's version as numbers. */
export async function findServerVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version.split(' ')[0] ?? '?'
}
