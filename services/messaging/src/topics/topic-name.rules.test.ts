import { describe, expect, test } from 'vitest'
import { parseTopicName } from './topic-name.rules.ts'

describe('a topic in a setting', () => {
  test.each([
    ['lunch', 'lunch'],
    ['(no topic)', '(no topic)'],
    ['  lunch ', 'lunch'],
    [` ${'🦉'.repeat(60)} `, '🦉'.repeat(60)],
  ])('parses %j as %j', (raw, topic) => {
    expect(parseTopicName(raw)).toBe(topic)
  })

  test.each(['a\nb', 'x'.repeat(61)])('rejects %j', (raw) => {
    expect(() => parseTopicName(raw)).toThrow(/topic/i)
  })

  test.each(['', ' ', 'general chat'])('%j is the empty topic', (raw) => {
    expect(parseTopicName(raw)).toBe('')
  })
})
