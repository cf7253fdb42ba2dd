import { describe, expect, test } from 'vitest'
import { readListQuery, select } from './answers.rules.ts'

const resource = {
  schemas: ['s'],
  id: '1',
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [{ value: 'a@x.org', type: 'work' }],
}
const selected = (parameters: Record<string, unknown>) =>
  select(resource, readListQuery(parameters).selection)

describe('a part of a list', () => {
  test.each([
    [{}, { startIndex: 1, count: 50 }],
    [
      { startIndex: '3', count: '2' },
      { startIndex: 3, count: 2 },
    ],
    [
      { startIndex: 0, count: -5 },
      { startIndex: 1, count: 0 },
    ],
    [
      { startIndex: '-4', count: '100000' },
      { startIndex: 1, count: 500 },
    ],
    [
      { startIndex: '', count: null },
      { startIndex: 1, count: 50 },
    ],
  ])('of %j', (parameters, expected) => {
    expect(readListQuery(parameters)).toMatchObject(expected)
  })

  test.each([{ count: 'x' }, { count: 1.5 }, { startIndex: [] }, { startIndex: '1e3' }, { filter: 7 }])(
    'of %j is refused',
    (parameters) => {
      expect(() => readListQuery(parameters)).toThrow(
        expect.objectContaining({ details: { scim_type: 'invalidValue' } }),
      )
    },
  )
})

describe('attributes of an answer', () => {
  test('are those that were asked for, and the ID', () => {
    expect(selected({ attributes: 'username,name.GivenName' })).toEqual({
      schemas: ['s'],
      id: '1',
      userName: 'ann',
      name: { givenName: 'Ann' },
    })
    expect(selected({ attributes: ['urn:ietf:params:scim:schemas:core:2.0:User:emails.value'] })).toEqual({
      schemas: ['s'],
      id: '1',
      emails: [{ value: 'a@x.org' }],
    })
  })

  test('are all but those that were not', () => {
    expect(selected({ excludedAttributes: 'emails, name.familyName,id' })).toEqual({
      schemas: ['s'],
      id: '1',
      userName: 'ann',
      name: { givenName: 'Ann' },
    })
  })
})
