import { VisibilityPolicy } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkPolicyLimit } from './policy-limit.rules.ts'

const { none, muted, unmuted, followed } = VisibilityPolicy

describe('checkPolicyLimit', () => {
  test.each([
    ['another follows', none, 9_999, 2_000, followed],
    ['another is muted', none, 9_999, 1_999, muted],
    ['what was followed is muted', followed, 12_000, 1_999, muted],
    ['what was muted is followed', muted, 12_000, 3_000, followed],
    ['nothing changes', muted, 12_000, 3_000, muted],
    ['one is taken away', followed, 12_000, 3_000, none],
    ['one that is none is taken away', none, 12_000, 3_000, none],
  ])('accepts that %s', (_, current, count, mutedCount, wanted) => {
    expect(() => checkPolicyLimit({ current, count, muted: mutedCount }, wanted)).not.toThrow()
  })

  test.each([
    ['another is followed', none, 10_000, 0, followed, 'You can choose how you see at most 10000 topics'],
    ['another is muted', none, 2_000, 2_000, muted, 'You can mute at most 2000 topics'],
    ['what was unmuted is muted', unmuted, 12_000, 2_000, muted, 'You can mute at most 2000 topics'],
  ])('rejects that %s', (_, current, count, mutedCount, wanted, message) => {
    expect(() => checkPolicyLimit({ current, count, muted: mutedCount }, wanted)).toThrow(message)
  })
})
