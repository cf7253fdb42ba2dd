import { expect, test } from '@jest/globals'
import { channelNameKey } from './channel-name-key.ts'

test.each([
  ['General', 'general'],
  ['ΣΑΣ', 'σασ'],
  ['ΣΑΣ', 'σας'],
  ['STRASSE', 'straße'],
])('%s and %s are one name', (one, other) => {
  expect(channelNameKey(one)).toBe(channelNameKey(other))
})

test('names that differ in more than case are two', () => {
  expect(channelNameKey('İx')).not.toBe(channelNameKey('ix'))
})
