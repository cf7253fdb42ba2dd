import { describe, expect, test } from 'vitest'
import { checkNewEmail, foldEmail, isEmail } from './email-address.rules.ts'

describe('e-mail addresses', () => {
  test.each([
    'a@b.de',
    'ilse.b+list@mail.example.com',
    "o'hara@example.org",
    'owner@localhost',
    'A_B@X-Y.co',
  ])('take %s', (address) => {
    expect(isEmail(address)).toBe(true)
  })

  test.each([
    '',
    'ilse',
    '@example.com',
    'ilse@',
    'a b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a@-example.com',
    'a@example..com',
    'a@b@example.com',
    'ilse@exämple.com',
    'a\0@example.com',
    'a@example.com\n',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
  ])('refuse %j', (address) => {
    expect(isEmail(address)).toBe(false)
  })

  test('are checked in linear time', () => {
    const before = process.cpuUsage()

    isEmail(`${'a.'.repeat(100_000)}@`)
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })

  test('keep their case and are trimmed', () => {
    expect(checkNewEmail(' Ilse@Example.com ')).toBe('Ilse@Example.com')
    expect(foldEmail(' Ilse@Example.com ')).toBe('ilse@example.com')
    expect(() => checkNewEmail('ilse')).toThrow('not valid')
  })
})
