import { channelRules, Role } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { channelColumns, grantColumns } from '../kernel/access/access.queries.ts'
import { refusesSql } from '../kernel/access/access-sql.ts'
import { locks } from '../kernel/locks/locks.ts'
import { listKnownUserIds } from '../kernel/projections/known-user.queries.ts'

/** A change of a bot's owner that hasn't been applied yet. */
export interface OwnerChange {
  readonly botId: number
  readonly realmId: number
  readonly formerOwnerId: number
  readonly ownerId: number
}

const IS_CHANGED = `former_owner_id is not null and projection ->> 'bot_owner_id' is not null`

/** Locks the bot and returns the pending change of its owner; null if there is none. */
export async function lockOwnerChange(tx: Tx, botId: number): Promise<OwnerChange | null> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [botId])
  const { rows } = await tx.query<OwnerChange>({
    name: 'lock-owner-change',
    text: `
      select user_id as "botId", realm_id as "realmId", former_owner_id as "formerOwnerId",
             (projection ->> 'bot_owner_id')::bigint as "ownerId"
        from known_users
       where user_id = $1
         and ${IS_CHANGED}
         for no key update`,
    values: [botId],
  })
  return rows[0] ?? null
}

/** Bots for which `lockOwnerChange` returns a change. */
export function listChangedOwners(db: Queryable, among: readonly number[] | null = null): Promise<number[]> {
  return listKnownUserIds(db, IS_CHANGED, among)
}

/** Locks a bot's subscriptions by channel, in the order in which marking as read locks them. */
export async function lockSubscriptionsOf(tx: Tx, botId: number): Promise<void> {
  tx.lockRecord.add(locks.readRanges)
  await tx.query('select from subscriptions where user_id = $1 order by channel_id for no key update', [
    botId,
  ])
}

/** Records that the change is applied. Needs the lock of `lockOwnerChange`. */
export async function clearFormerOwner(tx: Tx, botId: number): Promise<void> {
  await tx.query('update known_users set former_owner_id = null where user_id = $1', [botId])
}

interface BotChannel {
  readonly id: number
  readonly recipientId: number
  /** The channel is private, and the bot's owner may not subscribe to it. */
  readonly isClosedToOwner: boolean
}

/** SQL: whether the owner of a bot, as a member, has no access to a channel. */
const IS_CLOSED_TO_OWNER = refusesSql(channelRules.join, {
  ...channelColumns('channels'),
  ...grantColumns('channels', '$2'),
  isSubscribed: 'coalesce(owners.is_active or owners.is_in_archive, false)',
  role: Role.member,
})

/** The channels that a bot is subscribed to, archived ones included. */
export async function listBotChannels(tx: Tx, { botId, ownerId }: OwnerChange): Promise<BotChannel[]> {
  const { rows } = await tx.query<BotChannel>(
    `select channels.id, channels.recipient_id as "recipientId",
            ${IS_CLOSED_TO_OWNER} as "isClosedToOwner"
       from subscriptions
       join channels on channels.id = subscriptions.channel_id
       left join subscriptions owners on owners.channel_id = channels.id and owners.user_id = $2
      where subscriptions.user_id = $1
        and (subscriptions.is_active or subscriptions.is_in_archive)
      order by channels.id`,
    [botId, ownerId],
  )
  return rows
}

/**
 * SQL: whether a member has only the messages of a channel that they received: its history is protected, or it is
 * private and they aren't subscribed, which matters when they come back.
 */
const HAS_ONLY_RECEIVED = refusesSql(channelRules.readHistory, {
  ...channelColumns('channels'),
  ...grantColumns('channels', '$2'),
  // What was sent to an archived channel is still read.
  isArchived: 'false',
  isSubscribed: 'coalesce(subscriptions.is_active or subscriptions.is_in_archive, false)',
  role: Role.member,
})

/**
 * Where a bot has only received messages, reduces them to those that its owner received too; later messages arrive as
 * before. Deletes its flags on other messages, since a flag makes a message visible. Needs the locks of the bot's
 * channels.
 */
export async function restrictReceived(tx: Tx, { botId, ownerId }: OwnerChange): Promise<void> {
  await tx.query(
    `update subscriptions
        set received = subscriptions.received * (coalesce(limits.received, '{}')
                                   + int8multirange(int8range(limits.last_message_id + 1, null)))
       from channels,
            lateral (select recipients.last_message_id, owners.received
                       from recipients
                       left join subscriptions owners
                         on owners.channel_id = channels.id and owners.user_id = $2
                      where recipients.id = channels.recipient_id) as limits
      where subscriptions.user_id = $1
        and channels.id = subscriptions.channel_id
        and ${HAS_ONLY_RECEIVED}`,
    [botId, ownerId],
  )
  await tx.query(
    `delete from message_flags
      using messages
       join channels on channels.id = messages.channel_id
       left join subscriptions on subscriptions.channel_id = channels.id and subscriptions.user_id = $1
      where message_flags.user_id = $1
        and messages.id = message_flags.message_id
        and ${HAS_ONLY_RECEIVED}
        and not coalesce(subscriptions.received @> messages.id, false)`,
    [botId, ownerId],
  )
}

/** Transfers the files that a bot uploaded to its former owner: an uploader may read a file wherever it is linked. */
export async function transferFiles(tx: Tx, { botId, formerOwnerId }: OwnerChange): Promise<void> {
  tx.lockRecord.add(locks.files)
  await tx.query(
    `with locked as materialized (select id from attachments where owner_id = $1 order by id for no key update)
     update attachments
        set owner_id = $2
       from locked
      where attachments.id = locked.id`,
    [botId, formerOwnerId],
  )
}
