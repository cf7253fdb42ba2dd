import type { Tx } from '@tms/service-kit'
import { incrementVersions } from '../kernel/locks/version.queries.ts'
import { IS_SUBSCRIBER } from '../kernel/subscriptions/subscription.queries.ts'

/**
 * Changes that archive a channel. It gets another name, so that it isn't mistaken for a later channel with its name.
 * `name_key` stays: it is only used to find channels that are not archived.
 */
const ARCHIVED = `
  is_archived = true, is_default = false,
  name = left(md5(id::text), 7) || '!DEACTIVATED:' || name`

/** Archives a channel. Needs its lock. */
export async function markArchived(tx: Tx, channelId: number): Promise<void> {
  await tx.query(
    `with archived as (update channels set ${ARCHIVED} where id = $1 returning recipient_id)
     ${incrementVersions('archived')}`,
    [channelId],
  )
}

/** Lists those of these private channels that have no subscribers but these users. */
export async function listChannelsWithoutOthers(
  tx: Tx,
  channelIds: readonly number[],
  leavingIds: readonly number[],
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select id
       from channels
      where id = any($1)
        and invite_only
        and not exists (
              select from subscriptions
               where channel_id = channels.id
                 and ${IS_SUBSCRIBER}
                 and user_id <> all($2))`,
    [channelIds, leavingIds],
  )
  return rows.map(({ id }) => id)
}

/**
 * Archives those of these private channels that have no subscribers, and returns them. Needs the locks of the
 * channels.
 */
export async function archiveEmptyChannels(tx: Tx, channelIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ id: number }>(
    `with archived as (
       update channels
          set ${ARCHIVED}
        where id = any($1)
          and invite_only
          and not is_archived
          and not exists (
                select from subscriptions
                 where channel_id = channels.id
                   and ${IS_SUBSCRIBER})
       returning id, recipient_id
     ), incremented as (
       ${incrementVersions('archived')}
     )
     select id from archived`,
    [channelIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Moves all subscriptions of a channel that is being archived into the archive: nobody receives anything of it any
 * more, as after `endSubscriptions`. Also marks messages as
 * read for bots that were mentioned there without being in it. Needs its lock.
 */
export async function endAllSubscriptions(tx: Tx, channelId: number): Promise<void> {
  await tx.query(
    `update subscriptions
        set is_active = false,
            is_in_archive = is_active,
            received = received * int8multirange(int8range(null, recipients.last_message_id, '[]')),
            read = read + received * int8multirange(int8range(null, recipients.last_message_id, '[]'))
       from channels
       join recipients on recipients.id = channels.recipient_id
      where channels.id = $1
        and subscriptions.channel_id = channels.id
        and (subscriptions.is_active or not subscriptions.read @> subscriptions.received)`,
    [channelId],
  )
}
