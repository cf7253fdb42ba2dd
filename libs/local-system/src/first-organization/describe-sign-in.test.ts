import { describe, expect, test } from 'vitest'
import { describeSignIn } from './describe-sign-in.ts'

const owner = { email: 'ann@acme.test', password: 'chosen', apiKey: 'KEY', userId: 7 }
const describeOwner = (isNew: boolean) =>
  describeSignIn('https://acme.test', owner.email, { ...owner, isNew })

describe('the log line about a deployment’s first organization', () => {
  test('has the key and the password if the account is new', () => {
    for (const each of ['https://acme.test/api/v1', owner.email, owner.password, owner.apiKey])
      expect(describeOwner(true)).toContain(each)
  })

  test('has neither the key nor the password if the account existed', () => {
    expect(describeOwner(false)).toContain('https://acme.test/api/v1/fetch_api_key')
    expect(describeOwner(false)).not.toMatch(/KEY|chosen/)
  })

  test('says that nobody was added if there are other accounts', () => {
    expect(describeSignIn('https://acme.test', owner.email, null)).toContain('nothing was created')
  })
})
