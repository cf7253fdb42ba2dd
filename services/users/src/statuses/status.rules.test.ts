import { describe, expect, test } from 'vitest'
import { changeStatus, chosenStatus, showStatus } from './status.rules.ts'

const custom = { id: '7', source_url: '/x.png', still_url: null, author_id: null }
const realm = {
  custom_emoji: [
    { ...custom, name: 'party', deactivated: false },
    { ...custom, id: '8', name: 'old', deactivated: true },
  ],
}
const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' } as const
const none = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const

describe('chosenStatus', () => {
  test.each([
    [{}, {}],
    [{ status_text: '  on the road ' }, { status_text: 'on the road' }],
    [{ status_text: ' ' }, { status_text: '' }],
    [{ status_text: '🦉'.repeat(60) }, { status_text: '🦉'.repeat(60) }],
    [{ emoji_name: 'car' }, car],
    [{ emoji_name: 'red_car' }, { ...car, emoji_name: 'red_car' }],
    [{ emoji_name: 'no_such_emoji', emoji_code: '1f697' }, car],
    [{ emoji_name: 'party' }, { emoji_name: 'party', emoji_code: '7', reaction_type: 'realm_emoji' }],
    [{ emoji_name: '', emoji_code: '1f697' }, none],
  ])('%j becomes %j', (requested, chosen) => {
    expect(chosenStatus(realm, requested)).toEqual(chosen)
  })

  test.each([
    [{ status_text: 'x'.repeat(61) }, 'too long'],
    [{ emoji_code: '1f697' }, 'must pass emoji_name'],
    [{ reaction_type: 'unicode_emoji' as const }, 'must pass emoji_name'],
    [{ emoji_name: 'no_such_emoji' }, 'does not exist'],
    [{ emoji_name: 'car', emoji_code: '1f389' }, 'Invalid emoji name'],
    [{ emoji_name: 'old', emoji_code: '8', reaction_type: 'realm_emoji' as const }, 'deactivated'],
  ])('%j is refused', (requested, message) => {
    expect(() => chosenStatus(realm, requested)).toThrow(message)
  })
})

describe('changeStatus', () => {
  test.each([
    [{}, { status_text: 'x', ...car }, { status_text: 'x', ...car }, { status_text: 'x', ...car }],
    [{ status_text: 'x' }, { status_text: 'y' }, { status_text: 'y' }, { status_text: 'y' }],
    [{ status_text: 'x', ...car }, { status_text: '' }, car, { status_text: '' }],
    [{ status_text: 'x', ...car }, none, { status_text: 'x' }, none],
    [{ status_text: 'x', ...car }, { status_text: 'x', ...none }, { status_text: 'x' }, none],
  ])('changes %j by %j to %j, published as %j', (before, change, after, effective) => {
    expect(changeStatus(before, change)).toEqual({ after, effective })
  })

  test.each([
    [{}, { status_text: '', ...none }],
    [
      { status_text: 'x', ...car },
      { status_text: 'x', ...car },
    ],
  ])('does not change %j by %j', (before, change) => {
    expect(changeStatus(before, change)).toBeNull()
  })
})

test('a user who hides presence is away', () => {
  expect(showStatus(car, false)).toEqual({ away: true, ...car })
  expect(showStatus({}, true)).toEqual({})
})
