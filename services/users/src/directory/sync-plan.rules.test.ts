import { describe, expect, test } from 'vitest'
import type { ComparedAccount } from './directory-account.queries.ts'
import type { Person } from './person.rules.ts'
import { findSyncFault, planSync } from './sync-plan.rules.ts'

const account = (id: number, change: Partial<ComparedAccount> = {}): ComparedAccount => ({
  ...{ id, foldedEmail: `user${id}@example.com`, isActive: true, directory: 'corp', isDeactivated: false },
  ...change,
})
const person = (id: number, change: Partial<Person> = {}): Person => ({
  ...{
    dn: `uid=user${id}`,
    email: `User${id}@example.com`,
    version: null,
    fullName: `User ${id}`,
    isDisabled: false,
  },
  ...{ role: null, decidesAboutOwners: false, profile: new Map() },
  ...change,
})
const plan = (accounts: ComparedAccount[], people: Person[]) => {
  const { present, disabled, missing, ...counts } = planSync(accounts, people, 'corp')
  const ids = (list: readonly { account: ComparedAccount }[]) => list.map((one) => one.account.id)
  return { present: ids(present), disabled: ids(disabled), missing: missing.map(({ id }) => id), ...counts }
}

describe('planSync', () => {
  test('finds who is present, who has left, and who is missing', () => {
    const accounts = [account(1), account(2), account(3), account(4, { directory: null })]

    expect(plan(accounts, [person(1), person(2, { isDisabled: true }), person(9)])).toEqual({
      ...{ present: [1], disabled: [2], missing: [3], skipped: 0, known: 3 },
    })
  })

  test('leaves accounts alone that are inactive, of another directory, or of an ambiguous address', () => {
    const accounts = [
      account(1, { isActive: false }),
      account(2, { directory: 'other' }),
      account(3),
      account(4, { isActive: false }),
    ]
    const people = [person(3), person(3), person(4, { isDisabled: true }), person(5, { email: null })]

    expect(plan(accounts, people)).toEqual({
      ...{ present: [], disabled: [], missing: [], skipped: 3, known: 0 },
    })
  })
})

describe('findSyncFault', () => {
  test.each<[string, number, number, number, boolean]>([
    ['no people', 0, 10, 0, true],
    ['nobody to deactivate', 10, 10, 0, false],
    ['one of a few', 2, 3, 1, false],
    ['as many as allowed', 8, 10, 2, false],
    ['more than allowed', 7, 10, 3, true],
    ['everybody', 1, 10, 10, true],
  ])('%s', (_, people, known, deactivated, isFault) => {
    const list = Array.from({ length: people }, (_one, index) => person(index))

    expect(findSyncFault(list, { known }, deactivated, 20) !== null).toBe(isFault)
  })
})
