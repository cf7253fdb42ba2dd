import { type AnyEndpoint, endpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { exceptions } from '../system/consistency/exceptions.ts'
import { lanes } from '../system/consistency/lanes.ts'

const nameOf = ({ owner, name }: AnyEndpoint): string => `${owner}.${name}`
const changing = (['users', 'realm'] as const)
  .flatMap((owner): AnyEndpoint[] => Object.values(endpoints[owner]))
  .filter(({ method }) => method !== 'GET')
const rows = lanes.flatMap((lane) => lane.rows)
const covered = new Set(rows.flatMap(({ covers }) => covers))

describe('the table of changes that are used at once', () => {
  test('has a row for each endpoint of users and realm that changes something', () => {
    const missing = changing.filter((endpoint) => !covered.has(endpoint) && !exceptions.has(endpoint))

    expect(missing.map(nameOf)).toEqual([])
  })

  test('has no exception for what a row covers, or for what is no such endpoint', () => {
    const wrong = [...exceptions.keys()].filter(
      (endpoint) => covered.has(endpoint) || !changing.includes(endpoint),
    )

    expect(wrong.map(nameOf)).toEqual([])
  })

  test('has no two rows of one name', () => {
    const names = rows.map(({ name }) => name)

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
