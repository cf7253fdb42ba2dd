import { describe, expect, test } from 'vitest'
import { addressNameOf, findAccount, passwordOf } from './accounts.ts'

describe('what is made from a name', () => {
  test('an address has letters and digits of ASCII alone', () => {
    expect(addressNameOf('Iago Moor')).toBe('iago.moor')
    expect(addressNameOf('  Zoë  (QA) 2 ')).toBe('zoe.qa.2')
  })

  test('a name without any is refused', () => {
    expect(() => addressNameOf('王小明')).toThrow('"王小明" makes no address')
  })

  test('a password is the same in every run, and another for everyone', () => {
    expect(passwordOf('Iago@example.com')).toBe(passwordOf('iago@example.com'))
    expect(passwordOf('iago@example.com')).not.toBe(passwordOf('emilia@example.com'))
  })
})

describe('finding an account', () => {
  const iago = { userId: 7, fullName: 'Iago Moor', email: 'iago@example.com', apiKey: 'k', password: 'p' }

  test('goes by name or e-mail, in any case', () => {
    expect(findAccount([iago], 'iago moor')).toBe(iago)
    expect(findAccount([iago], 'IAGO@example.com')).toBe(iago)
  })

  test('tells who there is when there is nobody', () => {
    expect(() => findAccount([iago], 'Emilia')).toThrow(
      '"Emilia" was created here; there are Iago Moor <iago@example.com>',
    )
  })
})
