import { describe, expect, test } from 'vitest'
import { canReadArchivedMessage, canSeeMessage } from './message.rules.ts'

describe('canSeeMessage', () => {
  const member = { role: 400 }
  const guest = { role: 600 }
  const received = { isReceived: true, isHistorical: false }
  const missed = { isReceived: false, isHistorical: false }
  const open = {
    inviteOnly: false,
    isWebPublic: false,
    historyPublicToSubscribers: true,
    isArchived: false,
    isSubscribed: false,
    isReader: false,
  }
  const shared = { ...open, inviteOnly: true, isSubscribed: true }
  const closed = { ...shared, historyPublicToSubscribers: false }

  test('direct messages are visible to the members of the conversation', () => {
    expect(canSeeMessage(member, { ...received, channel: null })).toBe(true)
    expect(canSeeMessage(member, { ...missed, channel: null })).toBe(false)
  })

  test('a public channel is visible to everyone except guests who are not subscribed', () => {
    expect(canSeeMessage(member, { ...missed, channel: open })).toBe(true)
    expect(canSeeMessage(guest, { ...received, channel: open })).toBe(false)
    expect(canSeeMessage(guest, { ...missed, channel: { ...open, isSubscribed: true } })).toBe(true)
    expect(canSeeMessage(guest, { ...missed, channel: { ...open, isWebPublic: true } })).toBe(true)
  })

  test('a private channel is visible to its subscribers, with shared or protected history', () => {
    expect(canSeeMessage(member, { ...missed, channel: shared })).toBe(true)
    expect(canSeeMessage(member, { ...missed, channel: closed })).toBe(false)
    expect(canSeeMessage(member, { ...received, channel: closed })).toBe(true)
    expect(canSeeMessage(member, { ...received, channel: { ...closed, isSubscribed: false } })).toBe(false)
    expect(canSeeMessage(member, { ...received, channel: { ...shared, isSubscribed: false } })).toBe(false)
  })

  test('a private channel is visible to those who may subscribe to it, as far as its history is shared', () => {
    const outside = { isSubscribed: false, isReader: true }
    expect(canSeeMessage(member, { ...missed, channel: { ...shared, ...outside } })).toBe(true)
    expect(canSeeMessage(guest, { ...missed, channel: { ...shared, ...outside } })).toBe(false)
    expect(canSeeMessage(member, { ...missed, channel: { ...closed, ...outside } })).toBe(false)
    expect(canSeeMessage(member, { ...received, channel: { ...closed, ...outside } })).toBe(true)
  })

  test('a message of an archived channel is only read, as before', () => {
    const archived = { ...received, channel: { ...shared, isArchived: true } }

    expect(canSeeMessage(member, archived)).toBe(false)
    expect(canReadArchivedMessage(member, archived)).toBe(true)
    const left = { ...archived, channel: { ...archived.channel, isSubscribed: false } }
    expect(canReadArchivedMessage(member, left)).toBe(false)
  })
})
