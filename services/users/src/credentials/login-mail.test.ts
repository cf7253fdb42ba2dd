import { describe, expect, test } from 'vitest'
import { composeLoginMail } from './login-mail.ts'

const account = {
  deliveryEmail: 'iago@example.com',
  fullName: 'Iago',
  timezone: 'Asia/Kolkata',
  settings: {},
  emailAddressVisibility: 1,
}
const realm = { name: 'Venice', url: 'https://venice.example.com' }
const more = { at: new Date('2026-03-01T22:05:00Z'), unsubscribeUrl: 'https://venice.example.com/x' }

describe('the mail about a sign-in', () => {
  test('contains time in the account’s time zone, client and address', () => {
    const mail = composeLoginMail(account, realm, { userAgent: 'FancyApp/1.0', address: '10.0.0.7' }, more)

    expect(mail).toMatchObject({ to: 'iago@example.com', subject: 'New sign-in to Venice', realm })
    expect(mail.paragraphs.slice(2)).toEqual([
      'When: Monday, 2 March 2026 at 03:35 am (Asia/Kolkata)',
      'With: FancyApp/1.0',
      'From: 10.0.0.7',
    ])
  })

  test('has the time in 24 hours if the account wants that', () => {
    const inHours = { ...account, settings: { twenty_four_hour_time: true } }
    const midnight = { ...more, at: new Date('2026-03-01T18:30:00Z') }
    const whenOf = (at: typeof more) =>
      composeLoginMail(inHours, realm, { userAgent: undefined, address: undefined }, at).paragraphs[2]

    expect(whenOf(more)).toBe('When: Monday, 2 March 2026 at 03:35 (Asia/Kolkata)')
    expect(whenOf(midnight)).toBe('When: Monday, 2 March 2026 at 00:00 (Asia/Kolkata)')
  })

  test('leaves out unknown details', () => {
    const mail = composeLoginMail(
      { ...account, timezone: '' },
      realm,
      { userAgent: undefined, address: undefined },
      more,
    )

    expect(mail.paragraphs.slice(2)).toEqual([
      'When: Sunday, 1 March 2026 at 10:05 pm (UTC)',
      'With: an unknown program',
    ])
  })
})
