import { EmailVisibility, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { addressChangesOf } from './email-visibility.rules.ts'

const { members, moderators, administrators, nobody } = EmailVisibility
const VIEWER = 9
const addresses = [members, moderators, administrators, nobody].map((emailAddressVisibility, at) => ({
  id: at + 1,
  deliveryEmail: `${at + 1}@example.com`,
  emailAddressVisibility,
}))
const own = { id: VIEWER, deliveryEmail: 'own@example.com', emailAddressVisibility: nobody }

describe('visible addresses', () => {
  test.each([
    [Role.member, Role.administrator, ['2@example.com', '3@example.com']],
    [Role.administrator, Role.moderator, [null]],
    [Role.administrator, Role.guest, [null, null, null]],
    [Role.guest, Role.member, ['1@example.com']],
    [Role.administrator, Role.owner, []],
  ])('change when the role changes from %i to %i', (roleBefore, role, expected) => {
    const changes = addressChangesOf({ id: VIEWER, roleBefore, role }, [...addresses, own])

    expect(changes.map(({ delivery_email }) => delivery_email)).toEqual(expected)
  })
})
