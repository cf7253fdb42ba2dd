import { describe, expect, test } from 'vitest'
import { findExactText, matches, parseFilter } from './filter.rules.ts'
import { groupSchema, userSchema } from './schema.rules.ts'

const ann = {
  id: '7',
  externalId: 'X-1',
  userName: 'ann@example.com',
  name: { formatted: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
  displayName: 'Ann Lee',
  emails: [
    { value: 'ann@example.com', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'home' },
  ],
  active: true,
  role: 'member',
  meta: { created: '2026-01-02T03:04:05.000Z' },
}
const finds = (text: string): boolean => matches(parseFilter(text, userSchema), ann)

describe('a filter finds', () => {
  test.each([
    'userName eq "ANN@example.com"',
    'username Eq "ann@example.com"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann@example.com"',
    'externalId eq "X-1"',
    'emails[type eq "work"].value eq "ann@example.com"',
    'emails[type eq "work" and value co "@example"]',
    'emails.value eq "ann@home.example"',
    'emails eq "ann@home.example"',
    'emails[primary eq "True"].value eq "ann@example.com"',
    'active eq true',
    'active eq "True"',
    'name.familyName sw "L" and not (active eq false)',
    'userName eq "x" or displayName ew "lee"',
    'userName eq "x" and userName eq "y" or active eq true',
    'userName pr',
    'displayName ne "Bob"',
    'meta.created gt "2026-01-01T00:00:00Z"',
    'meta.created le "2026-01-02T03:04:05Z"',
    '(((active eq true)))',
    'displayName ge "ann lee"',
    'displayName eq "\\u0041nn Lee"',
    'title eq null or active eq true',
  ])('the person by %s', (text) => {
    expect(finds(text)).toBe(true)
  })

  test.each([
    'externalId eq "x-1"',
    'active eq false',
    'emails[type eq "home"].value eq "ann@example.com"',
    'title eq "Chief"',
    'title ne "Chief"',
    'nickName pr',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
    'constructor pr',
    'userName eq 7',
    'userName eq "x\\" or userName pr or userName eq \\"x"',
  ])('nobody by %s', (text) => {
    expect(finds(text)).toBe(false)
  })
})

test('a member is found by its ID in any case of the attribute alone', () => {
  const group = { displayName: 'G', members: [{ value: '7', type: 'User' }] }
  expect(matches(parseFilter('members[value eq "7"]', groupSchema), group)).toBe(true)
  expect(matches(parseFilter('MEMBERS.value eq "8"', groupSchema), group)).toBe(false)
})

describe('a filter is refused', () => {
  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq ann',
    'userName is "x"',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x" extra',
    '(userName eq "x"',
    'emails[type eq "work"',
    'and eq "x" or',
    'active gt true',
    'userName eq "\\x"',
    '__proto__ pr',
    "userName eq 'x'",
    `${'('.repeat(100)}active eq true${')'.repeat(100)}`,
    `${'not '.repeat(100)}active eq true`,
    `userName eq "${'x'.repeat(20_000)}"`,
  ])('%#: %s', (text) => {
    expect(() => parseFilter(text, userSchema)).toThrow(
      expect.objectContaining({ details: { scim_type: 'invalidFilter' } }),
    )
  })

  test('in no time, also if it is made to take long', () => {
    const startedAt = performance.now()
    const hostile = Array.from({ length: 200 }, () => '(userName eq "a" or userName eq "b")').join(' and ')
    expect(finds(hostile)).toBe(false)
    expect(() => parseFilter(`userName eq "${' '.repeat(9_900)}`, userSchema)).toThrow('cannot be read')
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})

describe('a text that the filter needs', () => {
  test.each([
    ['userName eq "a"', { name: 'userName', text: 'a' }],
    ['active eq true and externalId eq "b"', { name: 'externalId', text: 'b' }],
    ['emails[type eq "work"].value eq "c"', { name: 'emails.value', text: 'c' }],
    ['emails eq "d"', { name: 'emails.value', text: 'd' }],
    ['userName eq "a" or userName eq "b"', null],
    ['not (userName eq "a")', null],
    ['userName sw "a"', null],
  ])('of %s', (text, found) => {
    expect(findExactText(parseFilter(text, userSchema), ['userName', 'externalId', 'emails.value'])).toEqual(
      found,
    )
  })
})
