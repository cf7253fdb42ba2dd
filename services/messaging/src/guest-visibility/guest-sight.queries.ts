import type { GuestVisibilityChange } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Pair } from '../subscriptions/subscription.queries.ts'
import { shares } from './sharing.queries.ts'

const GUEST = 'known_users.published_role = 600'

/**
 * Whether it has been told that guests of the organization see only some people. Holds until the transaction ends under
 * `shareSight`, or the lock of one of the organization's channels.
 */
export async function isGuestVisibilityRestricted(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ isLimited: boolean }>({
    name: 'is-sight-limited',
    text: 'select published_limited as "isLimited" from known_realms where realm_id = $1',
    values: [realmId],
  })
  return rows[0]?.isLimited ?? false
}

/**
 * Lets one transaction at a time find out and tell what guests of an organization see, so that two that each take away
 * something that a guest shares with someone don't both count what the other takes. Take it after all other locks.
 */
export async function lockGuestVisibility(tx: Tx, realmId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('sight of guests of ' || $1::bigint, 0))`, [
    realmId,
  ])
}

/** Tells users of a change, once the transaction commits. Needs `lockGuestVisibility`. Returns the change's number. */
export async function queueChange(
  tx: Tx,
  change: GuestVisibilityChange,
  { realmId, requestId }: { readonly realmId: number; readonly requestId: string | null },
): Promise<number> {
  const { rows } = await tx.query<{ number: number }>({
    name: 'queue-guest-sight-change',
    text: `
      insert into guest_visibility_changes (realm_id, request_id, change)
      values ($1, $2, $3)
      returning id as number`,
    values: [realmId, requestId, JSON.stringify(change)],
  })
  return rows[0]?.number ?? 0
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

/** Guests in channels that these users left, each with those of the users with whom they share nothing any more. */
export async function listLosses(
  tx: Tx,
  left: readonly Pair[],
): Promise<{ guestId: number; userIds: number[] }[]> {
  const { rows } = await tx.query<{ guestId: number; userIds: number[] }>({
    name: 'list-sight-losses',
    text: `
      select known_users.user_id as "guestId", json_agg(distinct leaver.user_id) as "userIds"
        from unnest($1::bigint[], $2::bigint[]) as leaver (channel_id, user_id)
        join subscriptions on subscriptions.channel_id = leaver.channel_id and subscriptions.is_active
        join known_users on known_users.user_id = subscriptions.user_id and ${GUEST}
       where leaver.user_id <> known_users.user_id
         and not ${shares('known_users.user_id', 'leaver.user_id')}
       group by known_users.user_id
       order by known_users.user_id`,
    values: [left.map(({ channelId }) => channelId), left.map(({ userId }) => userId)],
  })
  return rows
}
