import { expect, test } from 'vitest'
import {
  findResolution,
  resolvesEmptyTopic,
  writeNewTopicNotice,
  writeOldTopicNotice,
  writeResolutionNotice,
} from './move-notices.rules.ts'

const summary = {
  mover: { user_id: 5, full_name: 'Ann' },
  from: { channelName: 'kitchen', topic: 'lunch' },
  to: { channelName: 'garden', topic: 'tea' },
  count: 3,
  isWhole: false,
}

test.each([
  ['lunch', '\u2714 lunch', 'resolved'],
  ['\u2714 lunch', 'lunch', 'unresolved'],
  ['lunch', '\u2714 tea', null],
  ['\u2714 lunch', '\u2714 tea', null],
  ['lunch', 'Lunch', null],
  ['', '\u2714', null],
  ['\u2714', '', null],
  ['x'.repeat(60), `\u2714 ${'x'.repeat(55)}...`, 'resolved'],
] as const)('%j to %j: %s', (before, after, expected) => {
  expect(findResolution(before, after)).toBe(expected)
})

test.each([
  ['', '\u2714', true],
  ['', '\u2714 General chat', true],
  ['', '\u2714 lunch', false],
  ['', 'lunch', false],
  ['lunch', '\u2714', false],
] as const)('%j to %j resolves the empty topic: %s', (before, after, expected) => {
  expect(resolvesEmptyTopic(before, after)).toBe(expected)
})

test.each([
  [
    'a whole topic',
    { isWhole: true },
    'This topic was moved to #**garden>tea** by @_**Ann|5**.',
    'This topic was moved here from #**kitchen>lunch** by @_**Ann|5**.',
  ],
  [
    'one message',
    { count: 1 },
    'A message was moved from this topic to #**garden>tea** by @_**Ann|5**.',
    'A message was moved here from #**kitchen>lunch** by @_**Ann|5**.',
  ],
  [
    'some messages',
    {},
    '3 messages were moved from this topic to #**garden>tea** by @_**Ann|5**.',
    '3 messages were moved here from #**kitchen>lunch** by @_**Ann|5**.',
  ],
])('says that %s moved', (_, change, old, fresh) => {
  expect(writeOldTopicNotice({ ...summary, ...change })).toBe(old)
  expect(writeNewTopicNotice({ ...summary, ...change })).toBe(fresh)
})

test('says who resolved a topic', () => {
  expect(writeResolutionNotice(summary.mover, 'resolved')).toBe(
    '@_**Ann|5** has marked this topic as resolved.',
  )
})
