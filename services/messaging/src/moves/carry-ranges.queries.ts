import { Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { mayEnter, PUBLISHED_ROLE } from '../channels/access.queries.ts'

/** A channel that messages come to, as far as it decides who may read them there. */
export interface Target {
  readonly id: number
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  readonly historyPublicToSubscribers: boolean
}

/**
 * Locks what the holders of these messages have read, in the channel that they leave and where they come to, so
 * that nobody marks one as read while it is being taken along. In the order in which marking as read locks, channel
 * by channel, or the two could wait for each other.
 */
export async function lockHolders(
  tx: Tx,
  fromChannelId: number,
  toChannelId: number,
  messageIds: readonly number[],
): Promise<void> {
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
         and s.user_id in (select held.user_id
                             from subscriptions held, span
                            where held.channel_id = $1
                              and held.received && span.ids)
       order by s.channel_id, s.user_id
         for no key update of s`,
    values: [fromChannelId, toChannelId, messageIds],
  })
}

/**
 * `moved`: the messages with their slots in the target. `holders`: who received any of them in the source, which
 * of them, and which they have read. Users are many but have few different patterns, so only those are turned
 * from IDs into slots; neighbouring slots merge as they do after sending.
 */
const CARRIED = `
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
           (select coalesce(range_agg(slot), '{}') from moved where pattern.received @> moved.id) as held,
           (select coalesce(range_agg(slot), '{}') from moved where pattern.read @> moved.id) as seen
      from (select distinct received, read from holders) pattern
  ), takers as materialized (
    select holders.user_id, patterns.held, patterns.seen
      from holders
      join patterns using (received, read)
  )`

/** SQL: whether someone who is not subscribed may read the target, by the role that they are told of the move by. */
const MAY_READ = mayEnter({ isWebPublic: '$4::boolean', inviteOnly: '$5::boolean' }, PUBLISHED_ROLE)

/**
 * Gives everyone who holds messages that have moved the same hold on them in the channel where they are now, with
 * the same of them read; what users hold of other messages stays. Call it after `relink`, with the locks of both
 * channels and of `lockHolders`. One statement changes what differs and one adds what is missing, whatever the
 * number of messages.
 *
 * Subscribers of a protected history hold everything in it from now on, read where they had not received it. Who
 * may read the target without subscribing has read it all: one is done with a channel that one isn't in.
 */
export async function carryRanges(
  tx: Tx,
  fromChannelId: number,
  target: Target,
  messageIds: readonly number[],
): Promise<void> {
  const values = [fromChannelId, target.id, messageIds, target.isWebPublic, target.inviteOnly]
  await tx.query({
    name: 'carry-to-existing',
    text: `
      with ${CARRIED}, carried as materialized (
        select s.user_id,
               case when s.is_active and not $6::boolean then span.slots
                    when s.is_active or ${MAY_READ} then coalesce(held, '{}')
                    else '{}'
               end as received,
               case when s.is_active then coalesce(held, '{}') - coalesce(seen, '{}')
                    else '{}'
               end as unread
          from subscriptions s
         cross join span
          left join takers on takers.user_id = s.user_id
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
    name: 'carry-to-strangers',
    text: `
      with ${CARRIED}
      insert into subscriptions (channel_id, user_id, is_active, was_subscribed, received, read, color)
      select $2, takers.user_id, false, false, held, held, ''
        from takers
        join known_users using (user_id)
       where ${MAY_READ}
         and not exists (select
                           from subscriptions there
                          where there.channel_id = $2
                            and there.user_id = takers.user_id)
       order by takers.user_id`,
    values,
  })
}

/** Forgets what users noted of messages that they can't read in the channel where these are now. */
export async function dropLostFlags(tx: Tx, target: Target, messageIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'drop-lost-flags',
    text: `
      delete from message_flags f
       where f.message_id = any($1::bigint[])
         and not exists (select
                           from subscriptions s
                          where s.channel_id = $2
                            and s.user_id = f.user_id
                            and s.is_active)
         and not $3::boolean
         and ($4::boolean
              or not exists (select
                               from known_users
                              where known_users.user_id = f.user_id
                                and ${PUBLISHED_ROLE} <= ${Role.member}))`,
    values: [messageIds, target.id, target.isWebPublic, target.inviteOnly],
  })
}
