import type { UserProjection } from '@tms/contracts'
import { expect, test } from 'vitest'
import { listTypingRecipients } from './typing.rules.ts'

const user = (user_id: number, is_active: boolean, receives_typing_notifications: boolean) =>
  ({ user_id, is_active, settings: { receives_typing_notifications } }) as UserProjection

test('only active users who want typing notifications receive them', () => {
  expect(listTypingRecipients([user(1, true, true), user(2, true, false), user(3, false, true)])).toEqual([1])
})
