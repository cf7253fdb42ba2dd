import type { ActedOnSettings, ChannelRecord, SubscriptionRecord, SubscriptionSettings } from '@tms/contracts'
import type { VisibleChannel } from '../kernel/channels/visible-channel.queries.ts'

type WithSubscribers<T> = T & { readonly subscribers?: readonly number[] }

/** The lists of fetch type `subscription`, each by name. */
export interface ChannelLists {
  readonly subscriptions: readonly SubscriptionRecord[]
  readonly unsubscribed: readonly SubscriptionRecord[]
  readonly never_subscribed: readonly WithSubscribers<ChannelRecord>[]
}

/** Settings of a user that apply to channels without settings of their own. */
export type StreamNotifications = Pick<
  ActedOnSettings,
  Extract<keyof ActedOnSettings, `enable_stream_${string}`>
>

/**
 * Groups the channels that a user sees by subscribed, formerly subscribed and never subscribed. `inherited`: the
 * user's settings, which replace null for a client that doesn't support null.
 */
export function groupBySubscription(
  channels: readonly VisibleChannel[],
  options: {
    readonly subscribers: ReadonlyMap<number, number[]> | null
    readonly inherited: StreamNotifications | null
  },
): ChannelLists {
  const { subscribers, inherited } = options
  const lists = {
    subscriptions: [] as SubscriptionRecord[],
    unsubscribed: [] as SubscriptionRecord[],
    never_subscribed: [] as WithSubscribers<ChannelRecord>[],
  }
  for (const { record, subscription } of channels) {
    const list = subscribers ? { subscribers: subscribers.get(record.stream_id) ?? [] } : {}
    if (!subscription) {
      lists.never_subscribed.push({ ...record, ...list })
      continue
    }
    const settings = inherited ? replaceNulls(subscription.settings, inherited) : subscription.settings
    const full = { ...record, ...settings, ...list }
    if (subscription.isActive) lists.subscriptions.push(full)
    else lists.unsubscribed.push(full)
  }
  return lists
}

/** `wildcard_mentions_notify` stays null even for clients without support for null. */
function replaceNulls(settings: SubscriptionSettings, inherited: StreamNotifications): SubscriptionSettings {
  return {
    ...settings,
    desktop_notifications: settings.desktop_notifications ?? inherited.enable_stream_desktop_notifications,
    audible_notifications: settings.audible_notifications ?? inherited.enable_stream_audible_notifications,
    push_notifications: settings.push_notifications ?? inherited.enable_stream_push_notifications,
    email_notifications: settings.email_notifications ?? inherited.enable_stream_email_notifications,
  }
}
