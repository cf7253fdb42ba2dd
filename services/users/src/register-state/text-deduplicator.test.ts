import { describe, expect, test } from 'vitest'
import { createTextDeduplicator } from './text-deduplicator.ts'

describe('createTextDeduplicator', () => {
  test('returns the same text for equal texts of one name', () => {
    const share = createTextDeduplicator()
    const first = share('a', Buffer.from('one'))

    expect(share('a', Buffer.from('one'))).toBe(first)
    expect(share('b', Buffer.from('one'))).not.toBe(first)
    expect(Buffer.from(share('a', Buffer.from('two')).bytes).toString()).toBe('two')
    expect(share('a', Buffer.from('one'))).not.toBe(first)
  })
})
