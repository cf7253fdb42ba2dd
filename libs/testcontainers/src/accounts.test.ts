import { describe, expect, test } from 'vitest'
import { addressNameOf, findAccount, passwordOf } from './accounts.ts'

describe('defaults derived from a name', () => {
  test('an address has only ASCII letters and digits', () => {
    expect(addressNameOf('Iago Moor')).toBe('iago.moor')
    expect(addressNameOf('  Zoë  (QA) 2 ')).toBe('zoe.qa.2')
  })

  test('a name without any of these is rejected', () => {
    expect(() => addressNameOf('王小明')).toThrow('"王小明" makes no address')
  })

  test('a password is the same in every run and differs between users', () => {
    expect(passwordOf('Iago@example.com')).toBe(passwordOf('iago@example.com'))
    expect(passwordOf('iago@example.com')).not.toBe(passwordOf('emilia@example.com'))
  })
})

describe('finding an account', () => {
  const iago = { userId: 7, fullName: 'Iago Moor', email: 'iago@example.com', apiKey: 'k', password: 'p' }

  test('matches name or e-mail in any case', () => {
    expect(findAccount([iago], 'iago moor')).toBe(iago)
    expect(findAccount([iago], 'IAGO@example.com')).toBe(iago)
  })

  test('lists the accounts if none matches', () => {
    expect(() => findAccount([iago], 'Emilia')).toThrow(
      '"Emilia" was created here; there are Iago Moor <iago@example.com>',
    )
  })
})
