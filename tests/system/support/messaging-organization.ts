import type { Pool } from '@tms/service-kit'
import { insertFiles, insertMessages, insertWriting } from './messaging-contents.ts'
import { at, idsOf, insertRows, secrets } from './messaging-rows.ts'

/** Creates an organization in messaging's tables with some of everything, with IDs after `base`, so that two do not collide. */
export async function insertOrganization(db: Pool, realmId: number, base: number): Promise<void> {
  const ids = idsOf(base)
  await insertKnownUsers(db, realmId, [ids.alice, ids.bob, ids.carol])
  await insertRecipients(db, realmId, base)
  await insertSubscriptions(db, base)
  await insertMessages(db, realmId, base)
  await insertWriting(db, realmId, base)
  await insertFiles(db, realmId, base)
}

/** Inserts projections of an organization's users into messaging. */
export async function insertKnownUsers(db: Pool, realmId: number, userIds: readonly number[]): Promise<void> {
  await db.query(
    `insert into known_users (user_id, realm_id, email_key, name_key, version, projection, published_role, published_active)
     select user_id, $1, 'someone' || user_id, 'someone', 1, '{}', 400, true
       from unnest($2::bigint[]) as person (user_id)`,
    [realmId, userIds],
  )
}

async function insertRecipients(db: Pool, realmId: number, base: number): Promise<void> {
  const { alice, bob, carol, town, den, attic, place, message } = idsOf(base)
  await insertRows(
    db,
    'recipients',
    [
      { first_message_id: message(1), last_message_id: message(4) },
      { first_message_id: message(5), last_message_id: message(6) },
      { first_message_id: message(99), last_message_id: 0 },
      { first_message_id: message(7), last_message_id: message(7) },
      { first_message_id: null, last_message_id: 0 },
    ].map((row, index) => ({ id: place(index + 1), realm_id: realmId, version: 0, joins: 0, ...row })),
  )
  const usual = {
    realm_id: realmId,
    description: 'for *all*',
    rendered_description: '<p>for <em>all</em></p>',
    created_at: at('07:00:00.000001'),
    creator_id: alice,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    message_retention_days: 30,
    permissions: {
      can_add_subscribers_group: 8,
      can_administer_channel_group: 8,
      can_send_message_group: 2,
      can_remove_subscribers_group: 17,
      can_subscribe_group: 8,
    },
    is_default: false,
    is_archived: false,
    is_recently_active: true,
    ...{ viewer_role: 0, reader_role: 0, admits_full_members: false },
  }
  const secret = secrets['a private channel']
  const open = { id: town, recipient_id: place(1), name: 'Straße', name_key: 'strasse', is_web_public: true }
  const hidden = { id: den, recipient_id: place(2), name: secret, name_key: secret, invite_only: true }
  const old = { id: attic, recipient_id: place(3), name: 'Attic', name_key: 'attic', is_archived: true }
  await insertRows(db, 'channels', [
    { ...usual, ...open },
    {
      ...usual,
      ...hidden,
      creator_id: null,
      permissions: {
        ...usual.permissions,
        can_administer_channel_group: { direct_members: [bob], direct_subgroups: [] },
        can_subscribe_group: { direct_members: [carol], direct_subgroups: [] },
      },
      message_retention_days: null,
      history_public_to_subscribers: false,
    },
    { ...usual, ...old, is_default: true },
  ])
  await insertRows(db, 'channel_grantees', [
    { channel_id: den, user_id: bob, is_reader: false },
    { channel_id: den, user_id: carol, is_reader: true },
  ])
  const conversation = (number: number, user_ids: number[]) => ({
    ...{ recipient_id: place(number), realm_id: realmId, user_ids },
  })
  await insertRows(db, 'conversations', [conversation(4, [alice, bob]), conversation(5, [alice, bob, carol])])
  const member = (number: number, user_id: number, read = '{}') => ({
    ...{ user_id, recipient_id: place(number), read },
  })
  await insertRows(db, 'conversation_members', [
    ...[member(4, alice, `{[1,${message(8)})}`), member(4, bob)],
    ...[member(5, alice), member(5, bob), member(5, carol)],
  ])
}

async function insertSubscriptions(db: Pool, base: number): Promise<void> {
  const { alice, bob, carol, town, den, attic, message } = idsOf(base)
  const usual = {
    is_active: true,
    is_in_archive: false,
    was_subscribed: true,
    received: `{[${message(1)},)}`,
    read: '{}',
    color: '#112233',
    is_muted: false,
    pin_to_top: false,
  }
  const personal = {
    color: secrets['the colour that someone gave a channel'],
    is_muted: true,
    pin_to_top: true,
    desktop_notifications: true,
    audible_notifications: false,
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: true,
    received: `{[${message(2)},${message(3)}),[${message(4)},)}`,
    read: `{(,${message(2)}),[${message(4)},${message(5)})}`,
  }
  const left = { is_active: false, received: `{[1,${message(3)})}` }
  const brought = { is_active: false, was_subscribed: false, received: `{[${message(3)},${message(4)})}` }
  await insertRows(db, 'subscriptions', [
    { ...usual, channel_id: town, user_id: alice, ...personal },
    { ...usual, channel_id: town, user_id: bob, ...left },
    { ...usual, channel_id: town, user_id: carol, ...brought },
    { ...usual, channel_id: den, user_id: alice },
    { ...usual, channel_id: attic, user_id: bob, is_active: false, is_in_archive: true },
  ])
  await insertRows(db, 'user_topics', [
    {
      ...{ user_id: alice, channel_id: town, topic_key: 'secret-followed', visibility_policy: 3 },
      ...{ topic_name: 'Secret-Followed', updated_at: at('09:00:00.5') },
    },
  ])
}
