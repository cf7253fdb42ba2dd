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

  test('takes 100 characters, and refuses more without estimating them', () => {
    const before = process.cpuUsage()

    expect(() => check('🦊🐙'.repeat(50), own)).not.toThrow()
    expect(() => check(`${'ab'.repeat(50)}c`, own)).toThrow('at most 100')
    expect(() => check('ab'.repeat(100_000), own)).toThrow('at most 100')
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
  })
})
