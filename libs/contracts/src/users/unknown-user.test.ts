import { describe, expect, test } from 'vitest'
import { emailHostOf, unknownUser } from './unknown-user.ts'

describe('an unknown user', () => {
  test('always has the same name, role, date and picture, and an address of the organization', () => {
    const user = unknownUser(7, emailHostOf('chat.example.com'), { withProfileData: true })

    expect(user).toMatchObject({
      user_id: 7,
      email: 'user7@chat.example.com',
      delivery_email: null,
      full_name: 'Unknown user',
      role: 400,
      is_active: true,
      date_joined: '1970-01-01T00:00:00+00:00',
      profile_data: {},
    })
    const { user_id: _id, email: _email, ...rest } = user
    expect(unknownUser(8, 'chat.example.com', { withProfileData: true })).toMatchObject(rest)
  })

  test('has no profile if none was requested', () => {
    expect(unknownUser(7, 'localhost', { withProfileData: false })).not.toHaveProperty('profile_data')
  })

  test.each([
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', 'users.invalid'],
  ])('at %s has an address at %s', (hostname, host) => {
    expect(emailHostOf(hostname)).toBe(host)
  })
})
