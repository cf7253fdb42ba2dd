import type { Tx } from '@tms/service-kit'
import { incrementVersions } from '../kernel/locks/version.queries.ts'

/**
 * Archives a channel. It gets another name, so that it isn't mistaken for a later channel with its name. `name_key` stays: it is
 * only used to find channels that are not archived. Needs its lock.
 */
export async function markArchived(tx: Tx, channelId: number): Promise<void> {
  await tx.query(
    `with archived as (
       update channels
          set is_archived = true, is_default = false,
              name = left(md5(id::text), 7) || '!DEACTIVATED:' || name
        where id = $1
       returning recipient_id
     )
     ${incrementVersions('archived')}`,
    [channelId],
  )
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
