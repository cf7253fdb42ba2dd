import type { ChannelRecord, SubscriptionSettings } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { VisibleChannel } from '../kernel/channels/visible-channel.queries.ts'
import { groupBySubscription } from './channel-lists.rules.ts'

const settings = {
  desktop_notifications: null,
  email_notifications: true,
  wildcard_mentions_notify: null,
  push_notifications: null,
  audible_notifications: null,
  color: '#abc',
} as SubscriptionSettings
const aChannel = (stream_id: number, isActive?: boolean): VisibleChannel => ({
  record: { stream_id, name: `channel ${stream_id}` } as ChannelRecord,
  isDefault: false,
  isReader: false,
  subscription: isActive === undefined ? null : { isActive, settings },
})
const channels = [aChannel(1, true), aChannel(2, false), aChannel(3)]

describe('groupBySubscription', () => {
  test('separates subscribed, left and never joined channels', () => {
    const lists = groupBySubscription(channels, { subscribers: null, inherited: null })
    expect(lists.subscriptions).toEqual([{ ...channels[0]?.record, ...settings }])
    expect(lists.unsubscribed).toEqual([{ ...channels[1]?.record, ...settings }])
    expect(lists.never_subscribed).toEqual([channels[2]?.record])
  })

  test('adds subscribers to all three on request', () => {
    const subscribers = new Map([[1, [5, 6]]])
    const lists = groupBySubscription(channels, { subscribers, inherited: null })
    expect(lists.subscriptions[0]?.subscribers).toEqual([5, 6])
    expect(lists.unsubscribed[0]?.subscribers).toEqual([])
    expect(lists.never_subscribed[0]?.subscribers).toEqual([])
  })

  test('resolves inherited notifications for clients without the capability, but for wildcard mentions', () => {
    const inherited = {
      enable_stream_desktop_notifications: true,
      enable_stream_audible_notifications: false,
      enable_stream_push_notifications: false,
      enable_stream_email_notifications: false,
    }
    const lists = groupBySubscription(channels, { subscribers: null, inherited })
    expect(lists.subscriptions[0]).toMatchObject({
      desktop_notifications: true,
      email_notifications: true,
      wildcard_mentions_notify: null,
      push_notifications: false,
      audible_notifications: false,
    })
  })
})
