import { describe, expect, test } from 'vitest'
import { flagsOf } from './message-view.rules.ts'

const plain = {
  isReceived: true,
  isRead: false,
  isStarred: false,
  isCollapsed: false,
  isMentioned: false,
  mentionsChannel: false,
  mentionsOwnTopic: false,
  hasAlertWord: false,
  isHistorical: false,
}

describe('flagsOf', () => {
  test('an unread message has none', () => {
    expect(flagsOf(plain)).toEqual([])
  })

  test('a message that was never received is read and historical', () => {
    expect(flagsOf({ ...plain, isReceived: false, isRead: true })).toEqual(['read', 'historical'])
  })

  test('a mention of everyone carries the legacy flag too', () => {
    expect(flagsOf({ ...plain, mentionsChannel: true })).toEqual([
      'stream_wildcard_mentioned',
      'wildcard_mentioned',
    ])
    expect(flagsOf({ ...plain, mentionsOwnTopic: true })).toEqual([
      'topic_wildcard_mentioned',
      'wildcard_mentioned',
    ])
  })

  test('a wildcard mention does not mention users who only find it in the history', () => {
    const found = { ...plain, isReceived: false, isRead: true, mentionsChannel: true }
    expect(flagsOf(found)).toEqual(['read', 'historical'])
  })
})
