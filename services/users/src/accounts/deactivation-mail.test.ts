import { describe, expect, test } from 'vitest'
import { deactivationMail } from './deactivation-mail.ts'

const realm = { name: 'Example', url: 'https://chat.example.com' }

describe('the mail to someone deactivated', () => {
  test('names the organization and holds the comment', () => {
    const mail = deactivationMail('a@example.com', realm, ' Thank you! ')

    expect(mail).toMatchObject({ to: 'a@example.com', realm, subject: expect.stringContaining('Example') })
    expect(mail.paragraphs.at(-1)).toBe('Thank you!')
  })

  test('says no more than that it happened where the comment is empty', () => {
    expect(deactivationMail('a@example.com', realm, ' ').paragraphs).toHaveLength(1)
  })
})
