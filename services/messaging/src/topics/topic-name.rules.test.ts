import { describe, expect, test } from 'vitest'
import { namedTopic } from './topic-name.rules.ts'

describe('a topic in a setting', () => {
  test.each([
    ['lunch', 'lunch'],
    ['  lunch ', 'lunch'],
    [` ${'🦉'.repeat(60)} `, '🦉'.repeat(60)],
  ])('%j is %j', (raw, topic) => {
    expect(namedTopic(raw)).toBe(topic)
  })

  test.each(['', ' ', 'a\nb', 'x'.repeat(61)])('is not %j', (raw) => {
    expect(() => namedTopic(raw)).toThrow(/topic/i)
  })
})
