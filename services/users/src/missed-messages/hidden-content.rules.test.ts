import { expect, test } from 'vitest'
import { findHider } from './hidden-content.rules.ts'

test.each([
  ['shown if both allow it', true, true, null],
  ['hidden if the user does not want it', true, false, 'user'],
  ['hidden if the organization forbids it', false, true, 'organization'],
  ['hidden as long as the setting of the organization is unknown', undefined, true, 'organization'],
])('what messages say is %s', (_, allowed, wanted, hider) => {
  const realm = allowed === undefined ? {} : { message_content_allowed_in_email_notifications: allowed }
  expect(findHider({ message_content_in_email_notifications: wanted }, realm)).toBe(hider)
})
