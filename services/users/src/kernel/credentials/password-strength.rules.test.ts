import { describe, expect, test } from 'vitest'
import { createPasswordStrengthCheck } from './password-strength.rules.ts'

const check = createPasswordStrengthCheck()
const own = ['ilse.bergström@example.com', 'Ilse Bergström']

describe('a new password', () => {
  test.each(['correct horse battery', 'vK3!pQz9', 'zwölf Boxkämpfer', '🦊🐙🦉🐢🐝🦄'])(
    'takes %j',
    (password) => {
      expect(() => check(password, own)).not.toThrow()
    },
  )

  test.each(['', 'aB3$x', '🦊🐙🦉'])('refuses %j, which is too short', (password) => {
    expect(() => check(password, own)).toThrow('at least 6')
  })

  test.each(['password', 'qwertyuiop', '123456789', 'aaaaaaaa', 'Bergström', 'ilse.bergström'])(
    'refuses %j, which is easy to guess',
    (password) => {
      expect(() => check(password, own)).toThrow('easy to guess')
    },
  )

  test('checks a very long one quickly', () => {
    const before = process.cpuUsage()

    expect(() => check('ab'.repeat(100_000), own)).not.toThrow('at least')
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
  })
})
