import type { GuestSightsChange } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Pair } from '../subscriptions/subscription.queries.ts'
import { shares } from './sharing.queries.ts'

const GUEST = 'known_users.told_role = 600'

/**
 * Whether it has been told that guests of the organization see only some people. Holds until the transaction ends under
 * `shareSight`, or the lock of one of the organization's channels.
 */
export async function isSightLimited(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ isLimited: boolean }>({
    name: 'is-sight-limited',
    text: 'select told_limited as "isLimited" from known_realms where realm_id = $1',
    values: [realmId],
  })
  return rows[0]?.isLimited ?? false
}

/**
 * Lets one transaction at a time find out and tell what guests of an organization see, so that two that each take away
 * something that a guest shares with someone don't both count what the other takes. Take it after all other locks.
 */
export async function lockGuestSights(tx: Tx, realmId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('sight of guests of ' || $1::bigint, 0))`, [
    realmId,
  ])
}

/** Tells users of a change, once the transaction commits. Needs `lockGuestSights`. */
export async function queueChange(
  tx: Tx,
  change: GuestSightsChange,
  { realmId, requestId }: { readonly realmId: number; readonly requestId: string | null },
): Promise<void> {
  await tx.query({
    name: 'queue-guest-sight-change',
    text: 'insert into guest_sight_changes (realm_id, request_id, change) values ($1, $2, $3)',
    values: [realmId, requestId, JSON.stringify(change)],
  })
}

/** Those of the users who are guests, as far as it has been told. */
export async function listGuestsAmong(tx: Tx, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>({
    name: 'list-guests-among',
    text: `select user_id as "userId" from known_users where user_id = any($1) and ${GUEST} order by user_id`,
    values: [userIds],
  })
  return rows.map(({ userId }) => userId)
}

/** Everyone who is a guest of the organization, as far as it has been told. */
export async function listGuests(tx: Tx, realmId: number): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>(
    `select user_id as "userId" from known_users where realm_id = $1 and ${GUEST} order by user_id`,
    [realmId],
  )
  return rows.map(({ userId }) => userId)
}

/** Who is in each of these channels, deactivated people included; guests and everyone. */
export async function listMembers(
  tx: Tx,
  channelIds: readonly number[],
): Promise<Map<number, { readonly guestIds: number[]; readonly userIds: number[] }>> {
  const { rows } = await tx.query<{ channelId: number; guestIds: number[] | null; userIds: number[] }>({
    name: 'list-members-and-guests',
    text: `
      select channel_id as "channelId", json_agg(user_id order by user_id) as "userIds",
             json_agg(user_id order by user_id) filter (where ${GUEST}) as "guestIds"
        from subscriptions
        left join known_users using (user_id)
       where channel_id = any($1)
         and is_active
       group by channel_id`,
    values: [channelIds],
  })
  return new Map(
    rows.map(({ channelId, guestIds, userIds }) => [channelId, { guestIds: guestIds ?? [], userIds }]),
  )
}

/**
 * What guests lost by these users having left these channels: each guest with those people of whom the one or the
 * other was in a channel that they shared, and with whom nothing else is shared.
 */
export async function listLosses(
  tx: Tx,
  left: readonly Pair[],
): Promise<{ guestId: number; userIds: number[] }[]> {
  const { rows } = await tx.query<{ guestId: number; userIds: number[] }>({
    name: 'list-sight-losses',
    text: `
      with leaving as (
        select *
          from unnest($1::bigint[], $2::bigint[]) as leaver (channel_id, user_id)
      ), present as (
        select channel_id, user_id, true as has_left from leaving
         union all
        select channel_id, user_id, false
          from subscriptions
         where channel_id in (select channel_id from leaving)
           and is_active
      ), apart as (
        select distinct guest.user_id as guest_id, person.user_id
          from present guest
          join known_users on known_users.user_id = guest.user_id and ${GUEST}
          join present person on person.channel_id = guest.channel_id
         where (guest.has_left or person.has_left)
           and person.user_id <> guest.user_id
      )
      select guest_id as "guestId", json_agg(user_id order by user_id) as "userIds"
        from apart
       where not ${shares('guest_id', 'apart.user_id')}
       group by guest_id
       order by guest_id`,
    values: [left.map(({ channelId }) => channelId), left.map(({ userId }) => userId)],
  })
  return rows
}
