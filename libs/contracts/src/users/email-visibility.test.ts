import { describe, expect, test } from 'vitest'
import { canSeeDeliveryEmail } from './email-visibility.ts'

describe('canSeeDeliveryEmail', () => {
  test.each([
    [1, [100, 200, 300, 400, 600]],
    [2, [100, 200, 300, 400]],
    [5, [100, 200, 300]],
    [3, [100, 200]],
    [4, []],
  ])('visibility %i is for the roles %j', (emailAddressVisibility, expected) => {
    const seers = [100, 200, 300, 400, 600].filter((role) =>
      canSeeDeliveryEmail({ userId: 1, role }, { id: 2, emailAddressVisibility }),
    )

    expect(seers).toEqual(expected)
  })

  test('users always see their own address', () => {
    expect(canSeeDeliveryEmail({ userId: 2, role: 600 }, { id: 2, emailAddressVisibility: 4 })).toBe(true)
  })
})
