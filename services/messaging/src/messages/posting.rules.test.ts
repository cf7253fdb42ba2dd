import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { findPostingObstacle, type Poster, postingError } from './posting.rules.ts'

const as = (role: number, { isSubscribed = false, isFullMember = true } = {}): Poster => ({
  policySubject: { role, isFullMember },
  isSubscribed,
})
const channelWith = (streamPostPolicy: number, inviteOnly = false) => ({
  inviteOnly,
  isWebPublic: false,
  historyPublicToSubscribers: true,
  streamPostPolicy,
})

describe('who may post', () => {
  const member = as(Role.member, { isFullMember: false })
  const fullMember = as(Role.member)
  const moderator = as(Role.moderator)
  const administrator = as(Role.administrator)
  const guest = as(Role.guest, { isSubscribed: true, isFullMember: false })
  const everyone = [guest, member, fullMember, moderator, administrator]

  test.each([
    [1, everyone],
    [2, [administrator]],
    [3, [fullMember, moderator, administrator]],
    [4, [moderator, administrator]],
  ])('post policy %i allows the roles that it names', (streamPostPolicy, allowed) => {
    for (const poster of everyone) {
      const obstacle = findPostingObstacle(channelWith(streamPostPolicy), poster)
      expect(obstacle).toBe(allowed.includes(poster) ? null : 'post policy')
    }
  })

  test.each([
    ['a subscriber of a private channel', as(Role.member, { isSubscribed: true }), null],
    ['a bot in a private channel of its owner', fullMember, as(Role.member, { isSubscribed: true })],
  ])('%s may post there', (_, poster, owner) => {
    expect(findPostingObstacle(channelWith(1, true), poster, owner)).toBeNull()
  })

  test('a bot of an administrator may post where administrators may', () => {
    expect(findPostingObstacle(channelWith(2), fullMember, administrator)).toBeNull()
    expect(findPostingObstacle(channelWith(2), fullMember, moderator)).toBe('post policy')
  })

  test.each([
    ['a user outside a private channel', fullMember, null],
    ['a bot outside it, whose owner is an administrator', fullMember, as(Role.owner)],
    ['an administrator outside it', administrator, null],
  ])('%s may not post there', (_, poster, owner) => {
    expect(findPostingObstacle(channelWith(1, true), poster, owner)).toBe('access')
  })

  test('a guest may post only in channels of their own', () => {
    expect(findPostingObstacle(channelWith(1), as(Role.guest))).toBe('access')
    expect(findPostingObstacle(channelWith(1), guest)).toBeNull()
  })
})

test('the error names the channel as the client did', () => {
  expect(postingError('access', { id: 7 }).message).toBe("Not authorized to send to channel with ID '7'")
  expect(postingError('access', { name: 'x' }).message).toBe("Not authorized to send to channel 'x'")
  expect(postingError('post policy', { id: 7 }).message).toBe(
    'You do not have permission to post in this channel.',
  )
})
