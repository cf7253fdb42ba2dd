import { channelRules } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Star } from '../flags/publish-unstarred.ts'
import { isReaderOf, PUBLISHED_ROLE, publishedRoleOf } from '../kernel/access/access.queries.ts'
import { allowsSql, refusesSql } from '../kernel/access/access-sql.ts'
import { locks } from '../kernel/locks/locks.ts'

/** The target channel of a move, with the settings that decide who may read it. */
export interface MoveTarget {
  readonly id: number
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  readonly historyPublicToSubscribers: boolean
}

/**
 * Locks the subscriptions of the holders of these messages in source and target, so that nobody marks one of them
 * as read while it is moved. In the order in which marking as read locks, channel by channel, so that the two
 * can't deadlock.
 */
export async function lockHolders(
  tx: Tx,
  fromChannelId: number,
  toChannelId: number,
  messageIds: readonly number[],
): Promise<void> {
  tx.lockRecord.add(locks.readRanges)
  await tx.query({
    name: 'lock-holders',
    text: `
      with span as materialized (
        select range_agg(int8range(id, id + 1)) as ids
          from unnest($3::bigint[]) as moved (id)
      )
      select
        from subscriptions s
       where s.channel_id = any(array[$1, $2]::bigint[])
         and s.user_id in (select holder.user_id
                             from subscriptions holder, span
                            where holder.channel_id = $1
                              and holder.received && span.ids)
       order by s.channel_id, s.user_id
         for no key update of s`,
    values: [fromChannelId, toChannelId, messageIds],
  })
}

/**
 * `moved`: the messages with their slots in the target. `holders`: users who received any of them in the source,
 * with the received and read ones. There are many users but few different patterns, so only patterns are converted
 * from IDs to slots; adjacent slots merge as they do after sending.
 */
const CARRIED_RANGES = `
  moved as materialized (
    select id, int8range(previous_id + 1, id + 1) as slot
      from messages
     where id = any($3::bigint[])
  ), span as materialized (
    select range_agg(int8range(id, id + 1)) as ids, range_agg(slot) as slots
      from moved
  ), holders as materialized (
    select s.user_id, s.received * span.ids as received, s.received * s.read * span.ids as read
      from subscriptions s, span
     where s.channel_id = $1
       and s.received && span.ids
  ), patterns as materialized (
    select received, read,
           (select coalesce(range_agg(slot), '{}') from moved where pattern.received @> moved.id) as received_slots,
           (select coalesce(range_agg(slot), '{}') from moved where pattern.read @> moved.id) as read_slots
      from (select distinct received, read from holders) pattern
  ), carriers as materialized (
    select holders.user_id, patterns.received_slots, patterns.read_slots
      from holders
      join patterns using (received, read)
  )`

/** SQL: whether a user who is not subscribed may read the target, by the last published role. */
const MAY_READ_TARGET = allowsSql(channelRules.access, {
  isArchived: false,
  isSubscribed: false,
  isViewer: false,
  isReader: isReaderOf('$2', 'known_users.user_id'),
  isWebPublic: '$4::boolean',
  isPrivate: '$5::boolean',
  role: PUBLISHED_ROLE,
})

/**
 * Gives all holders of moved messages the same messages as received in the target channel, and the same of them as
 * read. Ranges of other messages stay. Call it after `relink`, with the locks of both channels and of
 * `lockHolders`. One statement updates existing rows and one adds missing rows, whatever the number of messages.
 *
 * Subscribers of a protected history have all moved messages as received, and as read if they had not received
 * them. Users who may read the target without subscribing have all of them as read, since they aren't in that
 * channel.
 */
export async function carryRanges(
  tx: Tx,
  fromChannelId: number,
  target: MoveTarget,
  messageIds: readonly number[],
): Promise<void> {
  const values = [fromChannelId, target.id, messageIds, target.isWebPublic, target.inviteOnly]
  await tx.query({
    name: 'carry-to-existing',
    text: `
      with ${CARRIED_RANGES}, carried as materialized (
        select s.user_id,
               case when s.is_active and not $6::boolean then span.slots
                    when s.is_active or ${MAY_READ_TARGET} then coalesce(received_slots, '{}')
                    else '{}'
               end as received,
               case when s.is_active then coalesce(received_slots, '{}') - coalesce(read_slots, '{}')
                    else '{}'
               end as unread
          from subscriptions s
         cross join span
          left join carriers on carriers.user_id = s.user_id
          left join known_users on known_users.user_id = s.user_id and not s.is_active
         where s.channel_id = $2
      )
      update subscriptions s
         set received = s.received - span.slots + carried.received,
             read = s.read + (carried.received - carried.unread) - carried.unread
        from carried, span
       where s.channel_id = $2
         and s.user_id = carried.user_id
         and (s.received <> s.received - span.slots + carried.received
              or s.read <> s.read + (carried.received - carried.unread) - carried.unread)`,
    values: [...values, target.historyPublicToSubscribers],
  })
  await tx.query({
    name: 'carry-to-unsubscribed',
    text: `
      with ${CARRIED_RANGES}
      insert into subscriptions (channel_id, user_id, is_active, was_subscribed, received, read, color)
      select $2, carriers.user_id, false, false, received_slots, received_slots, ''
        from carriers
        join known_users using (user_id)
       where ${MAY_READ_TARGET}
         and not exists (select
                           from subscriptions existing
                          where existing.channel_id = $2
                            and existing.user_id = carriers.user_id)
       order by carriers.user_id`,
    values,
  })
}

/** SQL: whether the user of the flags `f` may not read the target. */
const MAY_NOT_READ_TARGET = refusesSql(channelRules.access, {
  isArchived: false,
  isSubscribed: `exists (select
                           from subscriptions s
                          where s.channel_id = $2
                            and s.user_id = f.user_id
                            and s.is_active)`,
  isViewer: false,
  isReader: isReaderOf('$2', 'f.user_id'),
  isWebPublic: '$3::boolean',
  isPrivate: '$4::boolean',
  role: publishedRoleOf('f.user_id'),
})

/**
 * Deletes flags of users on messages that they may not read in the target channel. Returns the stars among them of users
 * who aren't subscribed to the channel that the messages come from.
 */
export async function deleteLostFlags(
  tx: Tx,
  fromChannelId: number,
  target: MoveTarget,
  messageIds: readonly number[],
): Promise<Star[]> {
  const { rows } = await tx.query<Star>({
    name: 'delete-lost-flags',
    text: `
      with lost as (
        delete from message_flags f
         where f.message_id = any($1::bigint[])
           and ${MAY_NOT_READ_TARGET}
        returning f.message_id, f.user_id, f.is_starred
      )
      select message_id as "messageId", user_id as "userId"
        from lost
       where is_starred
         and not exists (select
                           from subscriptions
                          where channel_id = $5
                            and subscriptions.user_id = lost.user_id
                            and is_active)`,
    values: [messageIds, target.id, target.isWebPublic, target.inviteOnly, fromChannelId],
  })
  return rows
}
