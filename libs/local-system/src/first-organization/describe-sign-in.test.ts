import { describe, expect, test } from 'vitest'
import { describeSignIn } from './describe-sign-in.ts'

const owner = { email: 'ann@acme.test', password: 'chosen', apiKey: 'KEY', userId: 7 }
const describeOwner = (isNew: boolean) =>
  describeSignIn('https://acme.test', owner.email, { ...owner, isNew })

describe('what the log of a deployment says of its first organization', () => {
  test('is everything when the account is new', () => {
    for (const each of ['https://acme.test/api/v1', owner.email, owner.password, owner.apiKey])
      expect(describeOwner(true)).toContain(each)
  })

  test('is neither the key nor the password when it was there already', () => {
    expect(describeOwner(false)).toContain('https://acme.test/api/v1/fetch_api_key')
    expect(describeOwner(false)).not.toMatch(/KEY|chosen/)
  })

  test('is that nobody was added where others are', () => {
    expect(describeSignIn('https://acme.test', owner.email, null)).toContain('nothing was created')
  })
})
