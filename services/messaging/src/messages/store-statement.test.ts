import { expect, test } from 'vitest'
import { type StatementVariant, statementFor } from './store-statement.queries.ts'

const FLAGS = [
  ...(['isDirect', 'flags', 'hasIdempotencyKey', 'checksVersion', 'checksJoins'] as const),
  ...(['skipsLocked', 'boundsWait'] as const),
]
const variants = (['none', 'sender', 'some'] as const).flatMap((readers) =>
  Array.from({ length: 2 ** FLAGS.length }, (_, bits) => {
    const chosen = Object.fromEntries(FLAGS.map((flag, bit) => [flag, (bits & (1 << bit)) !== 0]))
    return { readers, ...chosen } as unknown as StatementVariant
  }),
)

test('each variant has a name of its own, which PostgreSQL does not cut', () => {
  const names = variants.map((variant) => statementFor(variant).name)
  expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([])
  expect(new Set(names).size).toBe(variants.length)
})
