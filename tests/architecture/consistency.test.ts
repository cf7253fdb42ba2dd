import { type AnyEndpoint, allEndpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { rowGroups } from '../system/consistency/row-groups.ts'
import { changesCachedData, endpointsWithRow, reasonForNoRow } from '../system/samples/all-samples.ts'

const nameOf = ({ owner, name }: AnyEndpoint): string => `${owner}.${name}`
const rows = rowGroups.flatMap((rowGroup) => rowGroup.rows)

describe('the table of changes and their uses', () => {
  test('has a row for each endpoint of users and realm that changes data', () => {
    const missing = allEndpoints.filter(
      (endpoint) =>
        changesCachedData(endpoint) && !endpointsWithRow.has(endpoint) && !reasonForNoRow(endpoint),
    )

    expect(missing.map(nameOf)).toEqual([])
  })

  test('has no exception that a row already covers or that is not such an endpoint', () => {
    const wrong = allEndpoints.filter(
      (endpoint) =>
        reasonForNoRow(endpoint) && (endpointsWithRow.has(endpoint) || !changesCachedData(endpoint)),
    )

    expect(wrong.map(nameOf)).toEqual([])
  })

  test('has no two rows with the same name', () => {
    const names = rows.map(({ name }) => name)

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
