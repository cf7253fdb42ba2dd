import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { type GroupState, patchGroup } from './group.rules.ts'
import { readOperations } from './patch.rules.ts'
import { type PersonState, patchPerson, replacePerson } from './person.rules.ts'
import { groupSchema, userSchema } from './schema.rules.ts'

const ann: PersonState = {
  userName: 'ann@example.com',
  email: 'ann@example.com',
  fullName: 'Ann Lee',
  role: Role.member,
  isActive: true,
  externalId: 'x',
}
const engineers: GroupState = { displayName: 'Engineers', externalId: null, memberIds: [3, 5, 7] }

const patched = (...Operations: unknown[]): PersonState =>
  patchPerson(ann, readOperations({ Operations }, userSchema))
const patchedGroup = (...Operations: unknown[]): GroupState =>
  patchGroup(engineers, readOperations({ Operations }, groupSchema))

describe('a person is changed', () => {
  test.each<[string, unknown, Partial<PersonState>]>([
    ['without a path', { op: 'replace', value: { active: false } }, { isActive: false }],
    ['by a text for a boolean', { op: 'Replace', path: 'active', value: 'False' }, { isActive: false }],
    ['by such a text in an object', { op: 'Replace', value: { active: 'False' } }, { isActive: false }],
    ['by display name', { op: 'Add', path: 'displayName', value: 'Ann May' }, { fullName: 'Ann May' }],
    [
      'by a part of the name',
      { op: 'replace', path: 'name.familyName', value: 'May' },
      { fullName: 'Ann May' },
    ],
    ['by a name with a dot', { op: 'replace', value: { 'name.givenName': 'Eve' } }, { fullName: 'Eve Lee' }],
    ['by a name in a name', { op: 'replace', value: { name: { formatted: 'Eve' } } }, { fullName: 'Eve' }],
    [
      'by the address of work',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@example.com' },
      { email: 'b@example.com' },
    ],
    [
      'by the list of addresses',
      { op: 'replace', path: 'emails', value: [{ value: 'b@example.com', primary: 'True' }] },
      { email: 'b@example.com' },
    ],
    [
      'by user name, which the address follows',
      { op: 'replace', path: 'userName', value: 'b@example.com' },
      { userName: 'b@example.com', email: 'b@example.com' },
    ],
    [
      'by a user name that is no address',
      { op: 'replace', path: 'userName', value: 'ann' },
      { userName: 'ann' },
    ],
    [
      'by the full name of an attribute',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:role', value: 'Moderator' },
      { role: Role.moderator },
    ],
    ['by removal', { op: 'remove', path: 'externalId' }, { externalId: null }],
    ['by the removal of a list, which it keeps', { op: 'remove', path: 'emails' }, {}],
    [
      'by an address of home, not at all',
      { op: 'add', path: 'emails[type eq "home"].value', value: 'h@x.org' },
      {},
    ],
    ['by unknown attributes, not at all', { op: 'add', path: 'title', value: 'Chief' }, {}],
    [
      'by those of another schema, not at all',
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'x',
      },
      {},
    ],
    ['by its own ID, not at all', { op: 'replace', value: { id: '99' } }, {}],
    ['by nasty names, not at all', { op: 'replace', value: { constructor: 'x', toString: { a: 1 } } }, {}],
  ])('%s', (_how, operation, change) => {
    expect(patched(operation)).toEqual({ ...ann, ...change })
  })

  test('by all operations in their order', () => {
    expect(
      patched({ op: 'replace', value: { active: false } }, { op: 'replace', path: 'active', value: true }),
    ).toEqual(ann)
  })

  test('by replacement, which keeps what it does not have', () => {
    expect(replacePerson(ann, { userName: 'ANN@example.com' })).toEqual({
      ...ann,
      userName: 'ANN@example.com',
    })
    expect(replacePerson(ann, { userName: 'corp\\ann', active: 'false', displayName: null })).toEqual({
      ...ann,
      userName: 'corp\\ann',
      isActive: false,
    })
  })

  test('by replacement of the user name, which an address that is given does not follow', () => {
    const emails = [{ value: 'ANN@example.com' }]
    expect(replacePerson(ann, { userName: 'b@example.com', emails })).toEqual({
      ...ann,
      userName: 'b@example.com',
    })
    expect(replacePerson(ann, { userName: 'b@example.com' })).toMatchObject({ email: 'b@example.com' })
    expect(patched({ op: 'replace', path: 'emails', value: emails })).toEqual(ann)
  })
})

describe('an operation is refused', () => {
  test.each<[string, unknown, string]>([
    ['no object', 'x', 'invalidSyntax'],
    ['of an unknown kind', { op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    ['that removes nothing', { op: 'remove' }, 'noTarget'],
    ['with a bad path', { op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
    ['with a number as path', { op: 'replace', path: 5, value: 'x' }, 'invalidPath'],
    [
      'with a filter of no list',
      { op: 'replace', path: 'name[a eq "b"].formatted', value: 'x' },
      'invalidPath',
    ],
    ['with a bad filter', { op: 'replace', path: 'emails[type is "x"].value', value: 'x' }, 'invalidFilter'],
    ['with a wrong type', { op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
    ['with a list for a text', { op: 'replace', path: 'userName', value: ['x'] }, 'invalidValue'],
    ['with a text for an object', { op: 'replace', path: 'name', value: 'Ann' }, 'invalidValue'],
    ['with a list as value', { op: 'replace', value: ['x'] }, 'invalidValue'],
    ['that removes the user name', { op: 'remove', path: 'userName' }, 'mutability'],
    ['that changes the ID', { op: 'replace', path: 'id', value: '5' }, 'mutability'],
    ['with an unknown role', { op: 'replace', path: 'role', value: 'king' }, 'invalidValue'],
  ])('%s', (_how, operation, scim_type) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ details: { scim_type } }))
  })

  test('if there are none, or too many', () => {
    expect(() => patched()).toThrow("'Operations'")
    expect(() =>
      patched(...Array.from({ length: 1_001 }, () => ({ op: 'remove', path: 'externalId' }))),
    ).toThrow('at most')
  })
})

describe('members of a group', () => {
  test.each<[string, unknown, number[]]>([
    ['are added', { op: 'Add', path: 'members', value: [{ value: '9' }, { value: '5' }] }, [3, 7, 9, 5]],
    ['are added alone', { op: 'add', path: 'members', value: { value: '9' } }, [3, 5, 7, 9]],
    ['leave by a filter', { op: 'remove', path: 'members[value eq "5"]' }, [3, 7]],
    ['leave by a filter that finds nobody', { op: 'remove', path: 'members[value eq "99"]' }, [3, 5, 7]],
    ['leave by a list', { op: 'Remove', path: 'members', value: [{ value: '3' }, { value: '9' }] }, [5, 7]],
    ['leave all', { op: 'remove', path: 'members' }, []],
    ['are replaced', { op: 'replace', path: 'members', value: [{ value: '2' }] }, [2]],
    ['are replaced without a path', { op: 'replace', value: { id: '1', members: [{ value: '2' }] } }, [2]],
    [
      'do not leave by a filter in an ID',
      { op: 'remove', path: 'members', value: [{ value: 'x" or value pr or value eq "' }] },
      [3, 5, 7],
    ],
  ])('%s', (_how, operation, memberIds) => {
    expect(patchedGroup(operation)).toEqual({ ...engineers, memberIds })
  })

  test('are people with an ID', () => {
    const add = (member: unknown) => () => patchedGroup({ op: 'add', path: 'members', value: [member] })
    for (const bad of [{ value: 'x' }, { value: 5 }, {}, { value: '5', type: 'Group' }, 7, { value: '-1' }])
      expect(add(bad)).toThrow(expect.objectContaining({ details: { scim_type: 'invalidValue' } }))
  })

  test('are changed by thousands in one request', () => {
    const members = Array.from({ length: 10_000 }, (_, i) => i + 1)
    const operations = Array.from({ length: 1_000 }, (_, i) => ({
      op: 'remove',
      path: `members[value eq "${i + 1}"]`,
    }))
    const after = patchGroup(
      { ...engineers, memberIds: members },
      readOperations({ Operations: operations }, groupSchema),
    )
    expect(after.memberIds).toHaveLength(9_000)
  })

  test('are not gone through thousands of times by a slow filter', () => {
    const members = Array.from({ length: 10_000 }, (_, i) => i + 1)
    const Operations = Array.from({ length: 1_000 }, () => ({ op: 'remove', path: 'members[value co "x"]' }))
    const patch = () =>
      patchGroup({ ...engineers, memberIds: members }, readOperations({ Operations }, groupSchema))
    expect(patch).toThrow(expect.objectContaining({ details: { scim_type: 'invalidValue' } }))
  })
})
