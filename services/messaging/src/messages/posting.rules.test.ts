import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { findPostingObstacle, type Poster, postingError } from './posting.rules.ts'

const as = (role: number, { isSubscribed = false, isReader = false, isPermitted = true } = {}): Poster => ({
  policySubject: { role, isFullMember: true },
  isSubscribed,
  isReader,
  isPermitted,
})
const aChannel = (inviteOnly = false) => ({
  inviteOnly,
  isWebPublic: false,
  historyPublicToSubscribers: true,
})

describe('who may post', () => {
  const member = as(Role.member)
  const administrator = as(Role.administrator)
  const guest = as(Role.guest, { isSubscribed: true })
  const refused = as(Role.owner, { isPermitted: false })

  test('a user with the permission', () => {
    expect(findPostingObstacle(aChannel(), member)).toBeNull()
    expect(findPostingObstacle(aChannel(), refused)).toBe('permission')
  })

  test.each([
    ['a subscriber of a private channel', as(Role.member, { isSubscribed: true }), null],
    ['a bot in a private channel of its owner', member, as(Role.member, { isSubscribed: true })],
  ])('%s may post there', (_, poster, owner) => {
    expect(findPostingObstacle(aChannel(true), poster, owner)).toBeNull()
  })

  test('a user who may subscribe to a private channel, if its history is shared', () => {
    const reader = as(Role.member, { isReader: true })
    const closed = { ...aChannel(true), historyPublicToSubscribers: false }
    expect(findPostingObstacle(aChannel(true), reader)).toBeNull()
    expect(findPostingObstacle(closed, reader)).toBe('access')
  })

  test('a bot whose owner has the permission', () => {
    expect(findPostingObstacle(aChannel(), refused, member)).toBeNull()
    expect(findPostingObstacle(aChannel(), refused, refused)).toBe('permission')
  })

  test.each([
    ['a user outside a private channel', member, null],
    ['a bot outside it, whose owner is an administrator', member, as(Role.owner)],
    ['an administrator outside it', administrator, null],
  ])('%s may not post there', (_, poster, owner) => {
    expect(findPostingObstacle(aChannel(true), poster, owner)).toBe('access')
  })

  test('a guest may post only in channels of their own', () => {
    expect(findPostingObstacle(aChannel(), as(Role.guest))).toBe('access')
    expect(findPostingObstacle(aChannel(), guest)).toBeNull()
  })
})

test('the error names the channel as the client did', () => {
  expect(postingError('access', { id: 7 }).message).toBe("Not authorized to send to channel with ID '7'")
  expect(postingError('access', { name: 'x' }).message).toBe("Not authorized to send to channel 'x'")
  expect(postingError('permission', { id: 7 }).message).toBe(
    'You do not have permission to post in this channel.',
  )
})
