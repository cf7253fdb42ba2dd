import { type GuestVisibilityChange, Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { locks } from '../locks/locks.ts'
import type { ChannelMember } from '../subscriptions/subscription.queries.ts'
import { shares } from './sharing.queries.ts'

const GUEST = `known_users.published_role = ${Role.guest}`

/**
 * Whether restricted guest visibility was last published for the organization. Stable until the transaction ends under
 * `shareChannelVisibilityLock`, or under the lock of one of the organization's channels.
 */
export async function isRestrictionPublished(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ isRestricted: boolean }>({
    name: 'is-guest-visibility-restricted',
    text: 'select published_limited as "isRestricted" from known_realms where realm_id = $1',
    values: [realmId],
  })
  return rows[0]?.isRestricted ?? false
}

/**
 * Allows one transaction at a time to compute and publish what guests of an organization see: two that each remove
 * something a guest shares with a user must not both count what the other removes.
 */
export async function lockGuestVisibility(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.guestVisibility, [realmId])
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('guest visibility of ' || $1::bigint, 0))`, [
    realmId,
  ])
}

/**
 * Queues a change, which is sent to users after the commit. Needs `lockGuestVisibility`. Returns the number of the
 * change.
 */
export async function queueChange(
  tx: Tx,
  change: GuestVisibilityChange,
  { realmId, requestId }: { readonly realmId: number; readonly requestId: string | null },
): Promise<number> {
  const { rows } = await tx.query<{ number: number }>({
    name: 'queue-guest-visibility-change',
    text: `
      insert into guest_visibility_changes (realm_id, request_id, change)
      values ($1, $2, $3)
      returning id as number`,
    values: [realmId, requestId, JSON.stringify(change)],
  })
  return rows[0]?.number ?? 0
}

/** Those of the users who were last published as guests. */
export async function listGuestsAmong(tx: Tx, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>({
    name: 'list-guests-among',
    text: `select user_id as "userId" from known_users where user_id = any($1) and ${GUEST} order by user_id`,
    values: [userIds],
  })
  return rows.map(({ userId }) => userId)
}

/** All users of the organization who were last published as guests. */
export async function listGuests(tx: Tx, realmId: number): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>(
    `select user_id as "userId" from known_users where realm_id = $1 and ${GUEST} order by user_id`,
    [realmId],
  )
  return rows.map(({ userId }) => userId)
}

/** Members of each channel, deactivated users included: guests, and all. */
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
 * Guests in channels that these users left, each with those of the users that share nothing with the guest any more.
 */
export async function listLosses(
  tx: Tx,
  left: readonly ChannelMember[],
): Promise<{ guestId: number; userIds: number[] }[]> {
  const { rows } = await tx.query<{ guestId: number; userIds: number[] }>({
    name: 'list-visibility-losses',
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
