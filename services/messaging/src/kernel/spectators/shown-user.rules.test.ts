import { UNKNOWN_USER_AVATAR } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { showToSpectator, userIdIn } from './shown-user.rules.ts'

const realm = { url: 'https://chat.example.com' }
const ada = { user_id: 7, email: 'ada@example.com', full_name: 'Ada', is_gravatar: true }

describe('showToSpectator', () => {
  test('hides the e-mail address, and a picture whose URL contains its hash', () => {
    const avatar_url =
      'https://secure.gravatar.com/avatar/5f4dcc3b5aa765d61d8327deb882cf99?d=identicon&version=1'

    expect(showToSpectator({ ...ada, avatar_url }, realm)).toEqual({
      user_id: 7,
      email: 'user7@chat.example.com',
      full_name: 'Ada',
      avatar_url: UNKNOWN_USER_AVATAR,
      is_gravatar: false,
    })
  })

  test('shows an uploaded picture', () => {
    const avatar_url = '/user_avatars/1/abc.png?version=2'

    expect(showToSpectator({ ...ada, avatar_url }, realm).avatar_url).toBe(avatar_url)
  })
})

test.each<[string, number | null]>([
  ['user7@chat.example.com', 7],
  ['user7@CHAT.example.com', 7],
  ['user7@other.example.com', null],
  ['user07@chat.example.com', null],
  ['ada@example.com', null],
  ['', null],
])('the address %j belongs to user %j', (email, id) => {
  expect(userIdIn(email, realm)).toBe(id)
})
