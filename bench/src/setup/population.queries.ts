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

/** Creates accounts without passwords, in the users database. */
export async function insertAccounts(
  users: pg.Client,
  realmId: number,
  count: number,
): Promise<BulkAccount[]> {
  const { rows } = await users.query<BulkAccount>(
    `insert into accounts (realm_id, email, delivery_email, full_name, api_key, role)
     select $1, 'bench' || n || '@example.com', 'bench' || n || '@example.com', 'Bench ' || n,
            md5(random()::text || n), 400
       from generate_series(1, $2::integer) as n
     returning id as "userId", email, api_key as "apiKey"`,
    [realmId, count],
  )
  return rows
}

/** Tells messaging of accounts that exist, in its own database. */
export async function insertKnownUsers(
  messaging: pg.Client,
  realmId: number,
  accounts: readonly BulkAccount[],
): Promise<void> {
  await messaging.query(
    `insert into known_users (user_id, realm_id, email, full_name, role, is_bot, is_active, avatar_url, is_gravatar, version)
     select user_id, $1, email, email, 400, false, true, '', false, 1
       from unnest($2::bigint[], $3::text[]) as told (user_id, email)
         on conflict (user_id) do nothing`,
    [realmId, accounts.map(({ userId }) => userId), accounts.map(({ email }) => email)],
  )
}

/** Tells messaging of people who have no account: enough to subscribe them. */
export async function insertKnownStrangers(
  messaging: pg.Client,
  realmId: number,
  firstId: number,
  count: number,
): Promise<void> {
  await messaging.query(
    `insert into known_users (user_id, realm_id, email, full_name, role, is_bot, is_active, avatar_url, is_gravatar, version)
     select id, $1, 'stranger' || id || '@example.com', 'Stranger ' || id, 400, false, true, '', false, 1
       from generate_series($2::bigint, $2::bigint + $3::bigint - 1) as id
         on conflict (user_id) do nothing`,
    [realmId, firstId, count],
  )
}

/** Subscribes users to a channel as messaging itself does: they receive what comes from now on. */
export async function insertSubscriptions(
  messaging: pg.Client,
  channelId: number,
  userIds: readonly number[],
): Promise<void> {
  await messaging.query(
    `insert into subscriptions (channel_id, user_id, is_active, received, color)
     select channels.id, told.user_id, true, int8multirange(int8range(recipients.last_message_id + 1, null)), '#76ce90'
       from unnest($2::bigint[]) as told (user_id)
       join channels on channels.id = $1
       join recipients on recipients.id = channels.recipient_id
         on conflict (channel_id, user_id) do nothing`,
    [channelId, userIds],
  )
}

/** Statistics and visibility maps as they are in a database that isn't new, and no checkpoint that is due. */
export async function settle(client: pg.Client): Promise<void> {
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** Numbers that name the server's version. */
export async function findServerVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version.split(' ')[0] ?? '?'
}
