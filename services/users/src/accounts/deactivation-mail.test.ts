import { describe, expect, test } from 'vitest'
import { deactivationMail } from './deactivation-mail.ts'

const realm = { name: 'Example', url: 'https://chat.example.com' }

describe('the mail about a deactivation', () => {
  test('contains the organization and the comment', () => {
    const mail = deactivationMail('a@example.com', realm, ' Thank you! ')

    expect(mail).toMatchObject({ to: 'a@example.com', realm, subject: expect.stringContaining('Example') })
    expect(mail.paragraphs.at(-1)).toBe('Thank you!')
  })

  test('leaves out an empty comment', () => {
    expect(deactivationMail('a@example.com', realm, ' ').paragraphs).toHaveLength(1)
  })
})
