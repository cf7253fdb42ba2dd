import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { VisibleChannel } from '../kernel/channels/visible-channel.queries.ts'
import { isListed, withOwnerChannels } from './listing.rules.ts'

const aChannel = (kind: { private?: boolean; webPublic?: boolean; subscribed?: boolean }) =>
  ({
    record: { invite_only: kind.private ?? false, is_web_public: kind.webPublic ?? false },
    subscription: kind.subscribed ? { isActive: true } : null,
  }) as VisibleChannel
const member = { role: Role.member }
const guest = { role: Role.guest }

describe('isListed', () => {
  test('lists public and subscribed channels by default', () => {
    expect(isListed(aChannel({}), member, {})).toBe(true)
    expect(isListed(aChannel({ private: true, subscribed: true }), member, {})).toBe(true)
    expect(isListed(aChannel({ private: true }), member, {})).toBe(false)
  })

  test('each filter can be turned off', () => {
    expect(isListed(aChannel({}), member, { include_public: false })).toBe(false)
    const onlyPublic = { include_subscribed: false }
    expect(isListed(aChannel({ private: true, subscribed: true }), member, onlyPublic)).toBe(false)
  })

  test('guests list what they subscribe to, and web-public channels on request', () => {
    expect(isListed(aChannel({}), guest, {})).toBe(false)
    expect(isListed(aChannel({ subscribed: true }), guest, {})).toBe(true)
    expect(isListed(aChannel({ webPublic: true }), guest, {})).toBe(false)
    expect(isListed(aChannel({ webPublic: true }), guest, { include_web_public: true })).toBe(true)
  })

  test('include_all_active includes every channel', () => {
    expect(isListed(aChannel({ private: true }), { role: Role.owner }, { include_all_active: true })).toBe(
      true,
    )
  })
})

describe('withOwnerChannels', () => {
  const named = (stream_id: number, name: string) => ({ record: { stream_id, name } }) as VisibleChannel
  const [a, b, c] = [named(3, 'a'), named(2, 'b'), named(1, 'c')]

  test('adds channels that the bot itself does not see, in the order of names', () => {
    expect(withOwnerChannels([a, c], [b, c])).toEqual([a, b, c])
    expect(withOwnerChannels([a, c], [])).toEqual([a, c])
  })
})
