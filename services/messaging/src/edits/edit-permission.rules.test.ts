import { AppError } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkMayEditContent } from './edit-permission.rules.ts'

const NOW = 1_800_000_000_000
const ago = (seconds: number) => NOW - seconds * 1000
const realm = {
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600 as number | null,
}
const allows = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch (err) {
    expect(err).toBeInstanceOf(AppError)
    return false
  }
}

describe('a text may be changed', () => {
  test.each([
    ['by its author', 'author', 10, {}, true],
    ['by nobody else', 'another', 10, {}, false],
    ['at the limit', 'author', 600, {}, true],
    ['within the grace of 20 s', 'author', 620, {}, true],
    ['no later', 'author', 621, {}, false],
    ['at any time without a limit', 'author', 1e8, { message_content_edit_limit_seconds: null }, true],
    ['never where editing is off', 'author', 1, { allow_message_editing: false }, false],
  ] as const)('%s', (_, who, age, settings, expected) => {
    const message = { senderId: 1, sentAtMs: ago(age) }
    const callerId = who === 'author' ? 1 : 2
    expect(allows(() => checkMayEditContent({ ...realm, ...settings }, callerId, message, NOW))).toBe(
      expected,
    )
  })
})
