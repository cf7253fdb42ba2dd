import type { ChannelRecord, SubscriptionRecord, SubscriptionSettings } from '@tms/contracts'
import type { VisibleChannel } from '../channels/visible-channel.queries.ts'

type WithSubscribers<T> = T & { readonly subscribers?: readonly number[] }

/** The lists of fetch type `subscription`, each by name. */
export interface ChannelLists {
  readonly subscriptions: readonly SubscriptionRecord[]
  readonly unsubscribed: readonly SubscriptionRecord[]
  readonly never_subscribed: readonly WithSubscribers<ChannelRecord>[]
}

/**
 * Sorts the channels that a user sees by whether they are, were or never were subscribed.
 * `inheritNulls`: the client takes null as "as my user settings say"; else the settings' value stands in.
 */
export function sortBySubscription(
  channels: readonly VisibleChannel[],
  options: {
    readonly subscribers: ReadonlyMap<number, number[]> | null
    readonly inheritNulls: boolean
  },
): ChannelLists {
  const { subscribers, inheritNulls } = options
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
    const settings = inheritNulls ? subscription.settings : withoutNulls(subscription.settings)
    const full = { ...record, ...settings, ...list }
    if (subscription.isActive) lists.subscriptions.push(full)
    else lists.unsubscribed.push(full)
  }
  return lists
}

/**
 * The user settings `enable_stream_*` that null inherits. They belong to users, where they are off unless
 * changed, and nothing can change them yet.
 */
const ENABLE_STREAM_NOTIFICATIONS = false

/** `wildcard_mentions_notify` stays null even for clients that know no null. */
function withoutNulls(settings: SubscriptionSettings): SubscriptionSettings {
  return {
    ...settings,
    desktop_notifications: settings.desktop_notifications ?? ENABLE_STREAM_NOTIFICATIONS,
    audible_notifications: settings.audible_notifications ?? ENABLE_STREAM_NOTIFICATIONS,
    push_notifications: settings.push_notifications ?? ENABLE_STREAM_NOTIFICATIONS,
    email_notifications: settings.email_notifications ?? ENABLE_STREAM_NOTIFICATIONS,
  }
}
