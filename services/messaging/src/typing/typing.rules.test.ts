import type { UserProjection } from '@tms/contracts'
import { expect, test } from 'vitest'
import { hearersOf } from './typing.rules.ts'

const user = (user_id: number, is_active: boolean, receives_typing_notifications: boolean) =>
  ({ user_id, is_active, settings: { receives_typing_notifications } }) as UserProjection

test('only who is here and wants to hears of typing', () => {
  expect(hearersOf([user(1, true, true), user(2, true, false), user(3, false, true)])).toEqual([1])
})
