import { groupPermissionNames } from '@tms/contracts'
import type { Pool } from '@tms/service-kit'

/** A text of each kind of secret that no export may contain. */
export const SECRETS = [
  'hash-of-a-password',
  'KeyOfAnAccount',
  'TokenOfAWebhook',
  'KeyOfAReusableLink',
  Buffer.from('hash of a key').toString('hex'),
] as const

/** Private data of users, by kind; only full exports contain it. */
export const PRIVATE = {
  'an address that its owner shows to nobody': 'hidden@example.com',
  'a setting': 'dense_mode',
  'an alert word': 'gooseberry',
  'a muted user, and the time': '1600000001',
  'a default channel of a bot': 'a secret channel',
  'what an outgoing webhook calls': 'hooks.example.com/secret',
  'an invited address': 'invited@example.com',
  'how a bot is configured': 'the password of its pump',
  'what a bot has stored': 'a long, long time ago',
  'an ID at a provisioning system': 'the badge of olivia',
  'a picture as it was uploaded': '.original',
} as const

/** Data that everyone in the organization can see. */
export const PUBLIC = {
  'an address for everyone': 'olivia@example.com',
  'an address for administrators': 'admins-see@example.com',
  'a status': 'in the garden',
  'what someone has filled in': 'she/her',
  'a group': 'gardeners',
  'what new accounts begin with': 'web_font_size_px',
  'an avatar': '-medium.png',
} as const

/** Of one letter each, so that they are distinguishable. */
export const avatarOf = (letter: string): string => letter.repeat(40)

/** Inserts an open organization into the users database. */
export async function insertKnownRealm(db: Pool, realmId: number): Promise<void> {
  await insert(db, 'known_realms', [
    { realm_id: realmId, string_id: `org${realmId}`, version: 1, projection: { is_active: true } },
  ])
}

/**
 * Inserts everything that the users service may have of an organization; its IDs start after `base`, and its names contain the
 * `mark`.
 */
export async function fillUsers(db: Pool, realmId: number, base = 0, mark = ''): Promise<void> {
  const made = (id: number): string => `user${base + id}@org${realmId}.example.com`
  const account = (id: number, name: string, address: string, more: object): object => ({
    ...{ id: base + id, realm_id: realmId, email: address, delivery_email: address },
    ...{ full_name: `${name}${mark}`, api_key: `KeyOfAnAccount-${base + id}` },
    ...{ date_joined: '2024-03-01T10:00:00.25Z', avatar_source: 'G', avatar_file: null, avatar_version: 1 },
    ...{ is_active: true, is_bot: false, bot_type: null, bot_owner_id: null, is_system_bot: false },
    ...{ role: 400, password_hash: null, timezone: '', email_address_visibility: 1, version: 9 },
    ...{ settings: {}, alert_words: [], muted_users: [], status: {}, profile_data: {} },
    seen_onboarding_steps: [],
    ...more,
  })
  const status = { emoji_name: 'tree', emoji_code: '1f333', reaction_type: 'unicode_emoji' }
  await insert(db, 'accounts', [
    account(1, 'Olivia', 'olivia@example.com', {
      ...{ role: 100, password_hash: 'hash-of-a-password', timezone: 'Europe/Berlin' },
      ...{ avatar_source: 'U', avatar_version: 3, avatar_file: avatarOf(base === 0 ? 'a' : 'b') },
      ...{ settings: { dense_mode: false }, alert_words: ['gooseberry', 'Quince'] },
      muted_users: [{ id: base + 2, timestamp: 1600000001 }],
      seen_onboarding_steps: ['intro_inbox_view_modal'],
      status: { status_text: 'in the garden', ...status },
      profile_data: {
        '1': { value: 'she/her' },
        '2': { value: '**Hi**', rendered_value: '<p><strong>Hi</strong></p>' },
      },
    }),
    account(2, 'Hilda', 'hidden@example.com', {
      ...{ email: made(2), email_address_visibility: 4, password_hash: 'hash-of-a-password' },
      date_joined: new Date(),
    }),
    account(3, 'Gus', 'admins-see@example.com', {
      ...{ email: made(3), email_address_visibility: 3, role: 600, is_active: false, avatar_version: 2 },
    }),
    account(4, 'Hook', 'hook-bot@example.com', { is_bot: true, bot_type: 3, bot_owner_id: base + 1 }),
    account(6, 'Waterer', 'water-bot@example.com', { is_bot: true, bot_type: 1, bot_owner_id: base + 1 }),
    account(5, 'Notification Bot', 'bot@example.com', { is_bot: true, bot_type: 1, is_system_bot: true }),
  ])
  await insert(db, 'bots', [
    {
      ...{ user_id: base + 4, default_sending_stream: 'a secret channel', default_all_public_streams: true },
      ...{ payload_url: 'https://hooks.example.com/secret', service_token: 'TokenOfAWebhook' },
      service_interface: 2,
      config_data: {},
    },
    {
      ...{ user_id: base + 6, default_all_public_streams: false },
      config_data: { 'the password of its pump': 'hose' },
    },
  ])
  await insert(db, 'bot_storage', [
    { user_id: base + 6, key: 'last watered', value: '"a long, long time ago"' },
    { user_id: base + 6, key: `level${mark}`, value: '' },
  ])
  await insert(db, 'saved_snippets', [
    {
      user_id: base + 1,
      title: 'a secret greeting',
      content: `Hello${mark}`,
      created_at: '2026-01-02T03:04:05Z',
    },
    { user_id: base + 2, title: 'an answer', content: 'No.', created_at: '2026-01-02T03:04:06Z' },
  ])
  const provisioned = (id: number, more: object): object => ({
    ...{
      account_id: base + id,
      realm_id: realmId,
      is_deleted: false,
      user_name: null,
      user_name_lower: null,
    },
    ...more,
  })
  await insert(db, 'scim_accounts', [
    provisioned(1, {
      external_id: `The badge of Olivia${mark}`,
      user_name: `Olivia.O${mark}`,
      user_name_lower: `olivia.o${mark}`,
    }),
    provisioned(2, { external_id: '00u2', is_deleted: true }),
  ])
  const permissions = (value: unknown) =>
    Object.fromEntries(groupPermissionNames.map((permission) => [permission, value]))
  const group = (id: number, name: string, more: object): object => ({
    ...{ id: base + id, realm_id: realmId, name: `${name}${mark}`, name_key: name.toLowerCase() + mark },
    ...{ description: '', member_ids: [], subgroup_ids: [], creator_id: null, created_at: null, version: 4 },
    is_deactivated: false,
    permissions: permissions(1),
    ...more,
  })
  await insert(db, 'user_groups', [
    group(101, 'Gardeners', {
      ...{ member_ids: [base + 1, base + 2], subgroup_ids: [3, base + 102] },
      ...{ creator_id: base + 1, created_at: '2026-01-02T03:04:05Z', is_deactivated: true },
      permissions: permissions({ direct_members: [base + 1], direct_subgroups: [base + 102] }),
    }),
    group(102, 'Diggers', {}),
  ])
  const invitation = (id: number, email: string, more: object): object => ({
    ...{
      id: base + id,
      realm_id: realmId,
      email,
      creator_id: base + 1,
      invited_as: 400,
      channel_ids: [7, 8],
    },
    group_ids: [],
    ...{ with_default_channels: true, notify_creator: false, invited_at: '2024-05-01T10:00:00.5Z' },
    ...more,
  })
  await insert(db, 'invitations', [
    invitation(1, 'invited@example.com', { group_ids: [base + 101] }),
    invitation(2, 'later@example.com', { expires_at: '2124-05-02', invited_as: 600, channel_ids: [] }),
    invitation(3, 'too-late@example.com', { expires_at: '2024-05-03' }),
  ])
  const keyHash = `\\x${Buffer.from(`hash of a key ${base}`).toString('hex')}`
  await insert(db, 'invitation_keys', [{ key_hash: keyHash, invitation_id: base + 1 }])
  await insert(db, 'invitation_links', [
    {
      ...{ id: base + 1, realm_id: realmId, key: `KeyOfAReusableLink${realmId}`, creator_id: base + 1 },
      ...{ invited_as: 400, channel_ids: [], with_default_channels: true, invited_at: new Date() },
    },
  ])
  await insert(db, 'setting_defaults', [{ realm_id: realmId, settings: { web_font_size_px: 20 } }])
}

/** Inserts rows by column; columns that a row lacks are null. */
export async function insert(db: Pool, table: string, rows: readonly object[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ')
  await db.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  )
}
