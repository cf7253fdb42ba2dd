import { defaultChannelPermissions, Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Somebody who asks for access; the role is null for one without an account here, who never subscribes. */
export interface AccessCaller {
  readonly userId: number
  readonly realmId: number
  readonly role: Role | null
  readonly membership: (typeof MEMBERSHIPS)[number]
  readonly name: string
}

/** To all channels; viewers and readers never subscribed, but have a permission on each private channel. */
export const MEMBERSHIPS = ['subscribed', 'left', 'never subscribed', 'viewer', 'reader'] as const
const REALM_ID = 1
const NOBODY: AccessCaller = {
  userId: 700,
  realmId: REALM_ID,
  role: null,
  membership: 'never subscribed',
  name: 'nobody known',
}

/** Every role with every membership, and nobody. */
export const callers: readonly AccessCaller[] = [
  ...Object.entries(Role).flatMap(([name, role]) =>
    MEMBERSHIPS.map((membership, index) => ({
      userId: role + index,
      realmId: REALM_ID,
      role,
      membership,
      name: `${name} (${membership})`,
    })),
  ),
  NOBODY,
]

/** Settings of each kind of channel; `protected` is private, with a history that new subscribers don't read. */
const KINDS = {
  'web-public': { invite_only: false, is_web_public: true, shares_history: true },
  public: { invite_only: false, is_web_public: false, shares_history: true },
  private: { invite_only: true, is_web_public: false, shares_history: true },
  protected: { invite_only: true, is_web_public: false, shares_history: false },
} as const
export type ChannelKind = keyof typeof KINDS

/** A channel of each kind, then the same ones archived. */
export const channels = [false, true].flatMap((isArchived) =>
  Object.entries(KINDS).map(([kind, settings], index) => {
    const id = index + 1 + (isArchived ? Object.keys(KINDS).length : 0)
    const name = isArchived ? `archived ${kind}` : kind
    return { id, recipient_id: id, kind: kind as ChannelKind, name, is_archived: isArchived, ...settings }
  }),
)

/**
 * Each channel has a message from before anyone subscribed, one that those who ever subscribed have received, and one
 * that everybody has found in the history, which leaves a row of flags.
 */
const MESSAGES = ['old', 'received', 'found'] as const
export type MessageKind = (typeof MESSAGES)[number]

/** Two callers have a direct message; two others have a conversation without any. */
export const CONVERSATION = { recipientId: 20, messageId: 201, userIds: [Role.owner, Role.guest + 1] }
const SILENT_CONVERSATION = { recipientId: 21, userIds: [Role.member, Role.guest + 1] }

export const channelMessages = channels.flatMap(({ id, kind, name, is_archived }) =>
  MESSAGES.map((message, index) => ({
    id: id * 10 + index + 1,
    channel_id: id,
    kind,
    is_archived,
    message,
    name: `${name}, ${message}`,
  })),
)

export const pathIdOf = (messageId: number): string => `${REALM_ID}/of-message-${messageId}`
/** A file that no message links, and its owner. */
export const UNLINKED_FILE = { pathId: `${REALM_ID}/unlinked`, ownerId: Role.guest + 2 }

/** Stores the callers' roles and memberships, the channels, the messages, and for each message a file that it links. */
export async function insertAccessCases(db: Queryable): Promise<void> {
  const json = (rows: readonly unknown[]) => JSON.stringify(rows)
  await db.query(
    `insert into known_users (user_id, realm_id, email_key, name_key, version, projection, published_role, published_active)
     select user_id, $2, user_id, user_id, 1, '{}', role, true
       from jsonb_to_recordset($1) as caller (user_id bigint, role integer)
      where role is not null`,
    [json(callers.map(({ userId, role }) => ({ user_id: userId, role }))), REALM_ID],
  )
  await db.query(
    `insert into recipients (id, realm_id, last_message_id) overriding system value
     select id, $1, last_message_id from jsonb_to_recordset($2) as recipient (id bigint, last_message_id bigint)`,
    [
      REALM_ID,
      json([
        ...channels.map(({ id }) => ({ id, last_message_id: id * 10 + MESSAGES.length })),
        { id: CONVERSATION.recipientId, last_message_id: CONVERSATION.messageId },
        { id: SILENT_CONVERSATION.recipientId, last_message_id: 0 },
      ]),
    ],
  )
  await db.query(
    `insert into channels (id, realm_id, recipient_id, name, name_key, description, rendered_description, invite_only,
            is_web_public, history_public_to_subscribers, permissions, is_default, is_archived)
     overriding system value
     select id, $1, recipient_id, name, name, '', '', invite_only, is_web_public, shares_history, $3, false, is_archived
       from jsonb_to_recordset($2) as channel (id bigint, recipient_id bigint, name text, invite_only boolean,
            is_web_public boolean, shares_history boolean, is_archived boolean)`,
    [REALM_ID, json(channels), JSON.stringify(defaultChannelPermissions)],
  )
  await db.query(
    `insert into subscriptions (channel_id, user_id, is_active, is_in_archive, received, color)
     select channels.id, user_id, membership = 'subscribed' and not is_archived,
            membership = 'subscribed' and is_archived, int8multirange(int8range(message.id, message.id + 1)), ''
       from channels
       join jsonb_to_recordset($2) as message (id bigint, channel_id bigint, message text)
         on message.channel_id = channels.id and message.message = 'received'
      cross join jsonb_to_recordset($1) as caller (user_id bigint, membership text)
      where membership in ('subscribed', 'left')`,
    [json(callers.map(({ userId, membership }) => ({ user_id: userId, membership }))), json(channelMessages)],
  )
  await db.query(
    `insert into channel_grantees (channel_id, user_id, is_reader)
     select channels.id, user_id, membership = 'reader'
       from channels
      cross join jsonb_to_recordset($1) as caller (user_id bigint, membership text)
      where invite_only
        and membership in ('viewer', 'reader')`,
    [json(callers.map(({ userId, membership }) => ({ user_id: userId, membership })))],
  )
  await db.query(
    `with conversation as (
       select recipient_id, user_ids
         from jsonb_to_recordset($1) as conversation (recipient_id bigint, user_ids bigint[])
     ), stored as (
       insert into conversations (recipient_id, realm_id, user_ids) select recipient_id, $2, user_ids from conversation
     )
     insert into conversation_members (user_id, recipient_id) select unnest(user_ids), recipient_id from conversation`,
    [
      json(
        [CONVERSATION, SILENT_CONVERSATION].map(({ recipientId, userIds }) => ({
          recipient_id: recipientId,
          user_ids: userIds,
        })),
      ),
      REALM_ID,
    ],
  )
  await db.query(
    `insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, sent_at, client, topic,
            topic_key, content, rendered_content, has_link, has_image, has_attachment)
     select id, $1, coalesce(channel_id, $3), channel_id, 0, 999, now(), 'test', '', '', '', '', false, false, false
       from jsonb_to_recordset($2) as message (id bigint, channel_id bigint)`,
    [REALM_ID, json([...channelMessages, { id: CONVERSATION.messageId }]), CONVERSATION.recipientId],
  )
  await insertTraces(db)
}

/** What callers and messages leave behind: flags of found messages, topic policies, and files. */
async function insertTraces(db: Queryable): Promise<void> {
  const found = channelMessages.filter(({ message }) => message === 'found').map(({ id }) => id)
  await db.query(
    `insert into message_flags (user_id, message_id, is_historical)
     select user_id, message_id, true from known_users cross join unnest($1::bigint[]) as found (message_id)`,
    [found],
  )
  await db.query(
    `insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy)
     select user_id, channels.id, 'topic', 'topic', 1 from known_users cross join channels`,
  )
  await db.query(
    `with file as (
       insert into attachments (realm_id, owner_id, path_id, name, content_type, size)
       select $1, 999, $2 || id, '', '', 1 from messages
       returning id, path_id
     )
     insert into attachment_messages (attachment_id, message_id)
     select file.id, messages.id from file join messages on file.path_id = $2 || messages.id`,
    [REALM_ID, pathIdOf(0).slice(0, -1)],
  )
  await db.query(
    `insert into attachments (realm_id, owner_id, path_id, name, content_type, size) values ($1, $2, $3, '', '', 1)`,
    [REALM_ID, UNLINKED_FILE.ownerId, UNLINKED_FILE.pathId],
  )
}
