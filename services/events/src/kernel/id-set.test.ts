import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdSet } from './id-set.ts'

const id = fc.nat(20)

test('contains what a Set would, in ascending order', () => {
  const changes = fc.array(fc.record({ id, isAdded: fc.boolean() }), { maxLength: 60 })

  fc.assert(
    fc.property(fc.array(id), changes, (first, later) => {
      const ids = new IdSet(first)
      const expected = new Set(first)
      for (const change of later) {
        if (change.isAdded) ids.add(change.id)
        else ids.delete(change.id)
        if (change.isAdded) expected.add(change.id)
        else expected.delete(change.id)
        expect(ids.has(change.id)).toBe(change.isAdded)
      }
      expect([...ids]).toEqual([...expected].sort((a, b) => a - b))
      for (let one = 0; one <= 20; one++) expect(ids.has(one)).toBe(expected.has(one))
    }),
  )
})

test('is not changed by what is changed while it is read', () => {
  const ids = new IdSet([3, 5, 8])
  const read: number[] = []
  for (const one of ids) {
    read.push(one)
    ids.delete(one)
  }

  expect(read).toEqual([3, 5, 8])
  expect([...ids]).toEqual([])
})
