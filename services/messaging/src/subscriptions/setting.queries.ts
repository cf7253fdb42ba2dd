import type { SubscriptionSettings } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { ChannelMember } from '../kernel/subscriptions/subscription.queries.ts'

/** The settings that are stored; `in_home_view` follows from `is_muted`. */
export type SettingColumn = Exclude<keyof SubscriptionSettings, 'in_home_view'>

/**
 * Changes a setting of a user for a channel. Returns false if the user is not subscribed. `property` is a column
 * of the settings. The lock of the row orders the user's changes.
 */
export async function updateSetting(
  tx: Tx,
  { userId, channelId }: ChannelMember,
  property: SettingColumn,
  value: boolean | string,
): Promise<boolean> {
  const { rows } = await tx.query(
    `update subscriptions
        set ${property} = $3
      where channel_id = $1
        and user_id = $2
        and is_active
     returning channel_id`,
    [channelId, userId, value],
  )
  return rows.length > 0
}
