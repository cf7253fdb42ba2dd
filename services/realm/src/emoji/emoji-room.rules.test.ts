import { describe, expect, test } from 'vitest'
import { checkEmojiRoom } from './emoji-room.rules.ts'

describe('checkEmojiRoom', () => {
  const emoji = (active: number, deactivated: number) => [
    ...Array(active).fill({ isDeactivated: false }),
    ...Array(deactivated).fill({ isDeactivated: true }),
  ]
  test.each([
    [0, 0],
    [999, 2_000],
    [0, 2_999],
  ])('allows another emoji beside %i active and %i deactivated ones', (active, deactivated) => {
    expect(() => checkEmojiRoom(emoji(active, deactivated))).not.toThrow()
  })

  test.each([
    [1_000, 0, 'An organization can have at most 1000 custom emoji'],
    [0, 3_000, 'An organization can have at most 3000 custom emoji, deactivated ones included'],
    [1_500, 2_500, 'An organization can have at most 3000 custom emoji, deactivated ones included'],
  ])('refuses another emoji beside %i active and %i deactivated ones', (active, deactivated, message) => {
    expect(() => checkEmojiRoom(emoji(active, deactivated))).toThrow(message)
  })
})
