import { describe, expect, test } from 'vitest'
import { deactivationMail } from './deactivation-mail.ts'

const account = { deliveryEmail: 'a@example.com', settings: {}, timezone: '', emailAddressVisibility: 1 }
const realm = { name: 'Example', url: 'https://chat.example.com' }

describe('the mail about a deactivation', () => {
  test('contains the organization and the comment', () => {
    const mail = deactivationMail(account, realm, ' Thank you! ')

    expect(mail).toMatchObject({ to: 'a@example.com', realm, subject: expect.stringContaining('Example') })
    expect(mail.paragraphs.at(-1)).toBe('Thank you!')
  })

  test('leaves out an empty comment', () => {
    expect(deactivationMail(account, realm, ' ').paragraphs).toHaveLength(1)
  })
})
