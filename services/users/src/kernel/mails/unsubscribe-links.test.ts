import { expect, test } from 'vitest'
import { createUnsubscribeLinks } from './unsubscribe-links.ts'

const links = createUnsubscribeLinks('a secret')
const keyOf = (url: string) => url.split('/').at(-1) ?? ''
const url = links.urlOf('https://chat.example.com', 'login', 7)

test('an unsubscribe link names its user', () => {
  expect(url).toMatch(/^https:\/\/chat\.example\.com\/accounts\/unsubscribe\/login\/7-/)
  expect(links.userIdOf('login', keyOf(url))).toBe(7)
})

test.each([
  ['for another kind of mail', () => links.userIdOf('missed_messages', keyOf(url))],
  ['for another user', () => links.userIdOf('login', keyOf(url).replace('7-', '8-'))],
  ['of another installation', () => createUnsubscribeLinks('other').userIdOf('login', keyOf(url))],
  ['that was cut', () => links.userIdOf('login', keyOf(url).slice(0, -1))],
  ['that is nonsense', () => links.userIdOf('login', 'x')],
])('an unsubscribe link %s is refused', (_, read) => {
  expect(read()).toBeNull()
})
