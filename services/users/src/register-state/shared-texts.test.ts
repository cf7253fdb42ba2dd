import { describe, expect, test } from 'vitest'
import { createSharedTexts } from './shared-texts.ts'

describe('texts that answers share', () => {
  test('are the same where they are equal, by name', () => {
    const share = createSharedTexts()
    const first = share('a', Buffer.from('one'))

    expect(share('a', Buffer.from('one'))).toBe(first)
    expect(share('b', Buffer.from('one'))).not.toBe(first)
    expect(share('a', Buffer.from('two')).toString()).toBe('two')
    expect(share('a', Buffer.from('one'))).not.toBe(first)
  })
})
