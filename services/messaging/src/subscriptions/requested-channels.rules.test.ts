import { expect, test } from 'vitest'
import { parseRequestedChannels } from './requested-channels.rules.ts'

test('of names that differ only in case, the first counts', () => {
  const requested = parseRequestedChannels([
    { name: ' Design ', description: 'a\nb' },
    { name: 'DESIGN', color: '#abc' },
    { name: 'other', color: '#ABCDEF' },
  ])
  expect(requested).toEqual([
    { name: 'Design', description: 'a b', color: undefined },
    { name: 'other', description: '', color: '#abcdef' },
  ])
})
