import { expect, test } from 'vitest'
import { requestIdOf } from './request-id.rules.ts'

test.each([['a'], ['0b5c2b1e-8c5e-4f0a-9d5e-2f6a4d1e8b77'], ['x'.repeat(64)]])('%s is kept', (id) => {
  expect(requestIdOf(id)).toBe(id)
})

test.each([[undefined], [''], ['x'.repeat(65)], ['a b'], ['a\nb'], [['a', 'b']]])('%j is replaced', (id) => {
  expect(requestIdOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})
