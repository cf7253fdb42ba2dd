import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { canAccessChannel, canReadHistory, canSeeChannel } from './channel.rules.ts'

const publicChannel = { inviteOnly: false, isWebPublic: false, historyPublicToSubscribers: true }
const webPublic = { inviteOnly: false, isWebPublic: true, historyPublicToSubscribers: true }
const shared = { inviteOnly: true, isWebPublic: false, historyPublicToSubscribers: true }
const isProtected = { inviteOnly: true, isWebPublic: false, historyPublicToSubscribers: false }
const left = { isActive: false, isViewer: false, isReader: false }
const subscribed = { ...left, isActive: true }
const viewer = { ...left, isViewer: true }
const reader = { ...viewer, isReader: true }
const as = (role: number) => ({ role })

describe('canAccessChannel', () => {
  test('lets everyone into a web-public channel', () => {
    expect(canAccessChannel(as(Role.guest), webPublic, null)).toBe(true)
  })

  test('lets all but guests into a public channel, and guests who subscribe', () => {
    expect(canAccessChannel(as(Role.member), publicChannel, null)).toBe(true)
    expect(canAccessChannel(as(Role.guest), publicChannel, null)).toBe(false)
    expect(canAccessChannel(as(Role.guest), publicChannel, left)).toBe(false)
    expect(canAccessChannel(as(Role.guest), publicChannel, subscribed)).toBe(true)
  })

  test('lets only current subscribers into a private channel, even owners', () => {
    expect(canAccessChannel(as(Role.owner), shared, null)).toBe(false)
    expect(canAccessChannel(as(Role.owner), shared, left)).toBe(false)
    expect(canAccessChannel(as(Role.guest), shared, subscribed)).toBe(true)
  })

  test('lets those into a private channel who may subscribe to it, but no guests', () => {
    expect(canAccessChannel(as(Role.member), shared, reader)).toBe(true)
    expect(canAccessChannel(as(Role.guest), shared, reader)).toBe(false)
    expect(canAccessChannel(as(Role.member), shared, viewer)).toBe(false)
  })
})

describe('canReadHistory', () => {
  test('follows from access if the history is shared', () => {
    expect(canReadHistory(as(Role.member), publicChannel, null)).toBe(true)
    expect(canReadHistory(as(Role.member), shared, subscribed)).toBe(true)
    expect(canReadHistory(as(Role.member), shared, left)).toBe(false)
  })

  test('nobody reads all of a protected history', () => {
    expect(canReadHistory(as(Role.owner), isProtected, subscribed)).toBe(false)
  })
})

describe('canSeeChannel', () => {
  test('administrators see private channels; former subscribers do not', () => {
    expect(canSeeChannel(as(Role.administrator), isProtected, null)).toBe(true)
    expect(canSeeChannel(as(Role.moderator), isProtected, null)).toBe(false)
    expect(canSeeChannel(as(Role.moderator), isProtected, left)).toBe(false)
    expect(canSeeChannel(as(Role.moderator), isProtected, subscribed)).toBe(true)
  })

  test('those who administer a private channel see it, but no guests', () => {
    expect(canSeeChannel(as(Role.member), isProtected, viewer)).toBe(true)
    expect(canSeeChannel(as(Role.guest), isProtected, viewer)).toBe(false)
  })

  test('guests see only subscribed and web-public channels', () => {
    expect(canSeeChannel(as(Role.guest), publicChannel, null)).toBe(false)
    expect(canSeeChannel(as(Role.guest), publicChannel, subscribed)).toBe(true)
    expect(canSeeChannel(as(Role.guest), webPublic, null)).toBe(true)
  })
})
