import { describe, expect, test } from 'vitest'
import { type DirectoryEntry, listAttributes, readPerson } from './person.rules.ts'

const entryOf = (attributes: Record<string, (string | Buffer)[]>): DirectoryEntry => ({
  dn: 'uid=ada,dc=example,dc=com',
  attributes: new Map(Object.entries(attributes)),
})
const attributes = { email: 'mail', full_name: 'cn', profile_fields: { Phone: 'telephoneNumber' } }
const ada = entryOf({ mail: ['ada@example.com', 'lovelace@example.com'], cn: ['Ada Lovelace'] })

describe('readPerson', () => {
  test('takes the first address, the name, and the profile', () => {
    expect(readPerson(ada, { attributes })).toEqual({
      dn: 'uid=ada,dc=example,dc=com',
      version: null,
      email: 'ada@example.com',
      fullName: 'Ada Lovelace',
      isDisabled: false,
      role: null,
      decidesAboutOwners: false,
      profile: new Map([['Phone', null]]),
    })
  })

  test('puts a name together, and an address from the user name and the domain', () => {
    const entry = entryOf({ uid: ['ada'], givenname: ['Ada'], sn: ['Lovelace'] })
    const parts = { user_name: 'uid', first_name: 'givenName', last_name: 'sn', profile_fields: {} }

    expect(readPerson(entry, { attributes: parts, email_domain: 'example.com' })).toMatchObject({
      email: 'ada@example.com',
      fullName: 'Ada Lovelace',
    })
  })

  test.each<[string, string[]]>([
    ['no address', []],
    ['something that is no address', ['ada at home']],
  ])('finds no address in an entry with %s', (_, mail) => {
    expect(readPerson(entryOf({ mail, cn: ['Ada'] }), { attributes }).email).toBeNull()
  })

  test.each<[string, string[], object, boolean]>([
    ['the bit of a disabled account', ['514'], { bit: 1 }, true],
    ['the bits of an account', ['512'], { bit: 1 }, false],
    ['a value that means it', ['true'], { values: ['TRUE', 'YES'] }, true],
    ['another value', ['FALSE'], { values: ['TRUE', 'YES'] }, false],
    ['any value', ['20260101000000Z'], {}, true],
    ['no value', [], {}, false],
  ])('%s: %j', (_, values, condition, expected) => {
    const settings = { attributes, disabled: { attribute: 'state', ...condition } }

    expect(readPerson(entryOf({ state: values }), settings).isDisabled).toBe(expected)
  })

  test.each<[string[], number]>([
    [['cn=Staff,dc=example', 'CN=Chiefs,DC=example'], 200],
    [['cn=staff,dc=example'], 400],
    [[], 600],
  ])('gives the highest role of %j', (groups, role) => {
    const settings = {
      attributes,
      roles: {
        attribute: 'memberOf',
        values: { 'cn=staff,dc=example': 'member', 'cn=chiefs,dc=example': 'administrator' } as const,
        otherwise: 'guest' as const,
      },
    }

    expect(readPerson(entryOf({ memberof: groups }), settings).role).toBe(role)
  })
})

test('listAttributes names each attribute once', () => {
  const settings = { attributes, disabled: { attribute: 'mail' }, email_domain: undefined }

  expect(listAttributes(settings)).toEqual(['mail', 'cn', 'telephoneNumber'])
})
