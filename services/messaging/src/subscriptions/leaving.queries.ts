import type { Tx } from '@tms/service-kit'
import { incrementVersions } from '../kernel/locks/version.queries.ts'
import type { ChannelMember } from '../kernel/subscriptions/subscription.queries.ts'

/** A user who has left a channel. */
export interface FormerMember extends ChannelMember {
  readonly wasInArchive: boolean
}

/**
 * Unsubscribes users. The messages that they received end with the last message of the channel. Needs the locks of
 * the channels. Returns those who were subscribed.
 */
export async function endSubscriptions(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<FormerMember[]> {
  const { rows } = await tx.query<FormerMember>(
    `with ended as (
       update subscriptions
          set is_active = false,
              is_in_archive = false,
              received = received * int8multirange(int8range(null, recipients.last_message_id, '[]')),
              -- Leaving a channel marks its messages as read: clients forget unread messages with the
              -- subscription, and they must not reappear with a later one.
              read = read + received * int8multirange(int8range(null, recipients.last_message_id, '[]'))
         from channels
         join recipients on recipients.id = channels.recipient_id
        where channels.id = any($1)
          and subscriptions.channel_id = channels.id
          and subscriptions.user_id = any($2)
          and (subscriptions.is_active or subscriptions.is_in_archive)
       returning subscriptions.channel_id, subscriptions.user_id, channels.recipient_id, channels.is_archived
     ), incremented as (
       ${incrementVersions('ended')}
     )
     select channel_id as "channelId", user_id as "userId", is_archived as "wasInArchive" from ended`,
    [channelIds, userIds],
  )
  return rows
}
