import { type AnyEndpoint, endpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { exceptions } from '../system/consistency/exceptions.ts'
import { rowGroups } from '../system/consistency/row-groups.ts'

const nameOf = ({ owner, name }: AnyEndpoint): string => `${owner}.${name}`
const changing = (['users', 'realm'] as const)
  .flatMap((owner): AnyEndpoint[] => Object.values(endpoints[owner]))
  .filter(({ method }) => method !== 'GET')
const rows = rowGroups.flatMap((rowGroup) => rowGroup.rows)
const covered = new Set(rows.flatMap(({ covers }) => covers))

describe('the table of changes and their uses', () => {
  test('has a row for each endpoint of users and realm that changes data', () => {
    const missing = changing.filter((endpoint) => !covered.has(endpoint) && !exceptions.has(endpoint))

    expect(missing.map(nameOf)).toEqual([])
  })

  test('has no exception that a row already covers or that is not such an endpoint', () => {
    const wrong = [...exceptions.keys()].filter(
      (endpoint) => covered.has(endpoint) || !changing.includes(endpoint),
    )

    expect(wrong.map(nameOf)).toEqual([])
  })

  test('has no two rows with the same name', () => {
    const names = rows.map(({ name }) => name)

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
