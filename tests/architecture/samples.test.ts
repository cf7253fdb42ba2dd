import { allEndpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { allSamples, sampleGaps, takesParameters } from '../system/samples/all-samples.ts'

describe('the samples that the tests of all endpoints use', () => {
  test('have what each endpoint needs', () => {
    expect(allEndpoints.flatMap(sampleGaps)).toEqual([])
  })

  test('name each endpoint once', () => {
    const names = allSamples.map(([name]) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test('have no requests with foreign names for endpoints without parameters', () => {
    const without = new Set(allEndpoints.filter((one) => !takesParameters(one)).map(({ name }) => name))
    expect(allSamples.filter(([name, { foreign }]) => foreign && without.has(name))).toEqual([])
  })
})
