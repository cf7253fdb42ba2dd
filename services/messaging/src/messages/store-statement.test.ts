import { expect, test } from 'vitest'
import { type GroupVariant, groupStatementFor } from './groups/group-statement.queries.ts'
import { type StatementVariant, statementFor } from './store-statement.queries.ts'

/** All combinations of these parts. */
const combine = <T>(parts: readonly (keyof T & string)[]): T[] =>
  Array.from(
    { length: 2 ** parts.length },
    (_, bits) => Object.fromEntries(parts.map((part, bit) => [part, (bits & (1 << bit)) !== 0])) as T,
  )

const single = combine<Omit<StatementVariant, 'readers'>>([
  ...(['isDirect', 'flags', 'hasIdempotencyKey', 'checksVersion', 'checksJoins', 'checksRevision'] as const),
  ...(['skipsLocked', 'boundsWait'] as const),
]).flatMap((parts) => (['none', 'sender', 'some'] as const).map((readers) => ({ ...parts, readers })))
const groups = combine<GroupVariant>(['isDirect', 'isReadBySender', 'hasKeys', 'hasFlags', 'skipsLocked'])

test('each variant has a name of its own, which PostgreSQL does not cut', () => {
  const names = [
    ...single.map((variant) => statementFor(variant).name),
    ...groups.map((variant) => groupStatementFor(variant).name),
  ]
  expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
