import { beforeEach, expect, test } from 'vitest'
import { defineLockOrder, type LockLevel, LockRecord, type LockViolation } from './lock-order.ts'
import type { Pool } from './pool.ts'
import { createPrismaTransact } from './prisma-transaction.ts'
import { type Tx, transact } from './transaction.ts'

const described = { locks: 'rows', mode: 'for update', order: 'by ID', reason: 'it is an example' }
const locks = defineLockOrder({ channels: described, users: described, files: described })

/** What was reported. */
let violations: LockViolation[]
beforeEach(() => {
  violations = []
})

const onViolation = (violation: LockViolation) => {
  violations.push(violation)
}

/** Reports after a transaction that takes these locks. */
function violationsOf(taken: readonly (readonly [LockLevel, (readonly (number | string)[])?])[]) {
  const record = new LockRecord(onViolation)
  for (const [level, keys] of taken) record.add(level, keys)
  return violations
}

test('the levels of a service come after those of the kit', () => {
  expect(Object.values(locks).map(({ name, rank }) => [name, rank])).toEqual([
    ['channels', 10],
    ['users', 11],
    ['files', 12],
  ])
})

test('locks in the order of their levels are no violation, also if levels are left out', () => {
  expect(violationsOf([[locks.channels, [1]], [locks.files]])).toEqual([])
})

test('a lock of an earlier level is a violation', () => {
  expect(violationsOf([[locks.files], [locks.channels, [1]]])).toEqual([
    { level: 'channels', after: 'files' },
  ])
})

test('a second violation is reported against the last level, which the first has not changed', () => {
  expect(violationsOf([[locks.files], [locks.channels, [1]], [locks.users]])).toEqual([
    { level: 'channels', after: 'files' },
    { level: 'users', after: 'files' },
  ])
})

test('a lock that is held may be taken again at any time', () => {
  const again = [locks.channels, [7, 3]] as const
  expect(violationsOf([[locks.channels, [3, 5, 7]], [locks.files], again])).toEqual([])
})

test('more locks of one level are a violation unless their IDs are higher', () => {
  expect(
    violationsOf([
      [locks.users, [3]],
      [locks.users, [4, 5]],
    ]),
  ).toEqual([])
  expect(
    violationsOf([
      [locks.users, [3]],
      [locks.users, [2]],
    ]),
  ).toEqual([{ level: 'users', after: 'users' }])
})

test('more locks of one level that have no IDs are a violation', () => {
  expect(
    violationsOf([
      [locks.users, ['b']],
      [locks.users, ['c']],
    ]),
  ).toEqual([{ level: 'users', after: 'users' }])
})

test('all locks of a level cover each of them', () => {
  expect(violationsOf([[locks.users], [locks.files], [locks.users, [4]], [locks.users]])).toEqual([])
})

test('all locks of a level after one of them are a violation', () => {
  expect(violationsOf([[locks.users, [4]], [locks.users]])).toEqual([{ level: 'users', after: 'users' }])
})

const pool = {
  connect: async () => ({ query: async () => ({ rows: [] }), release: () => {} }),
  onLockViolation: onViolation,
} as unknown as Pool

const violateOrder = async (tx: Tx) => {
  tx.lockRecord.add(locks.users)
  tx.lockRecord.add(locks.channels)
}

test('a transaction reports to its pool, and the next one begins anew', async () => {
  await transact(pool, violateOrder)
  await transact(pool, async (tx) => tx.lockRecord.add(locks.channels))

  expect(violations).toEqual([{ level: 'channels', after: 'users' }])
})

test('a transaction of Prisma reports to its pool', async () => {
  const prisma = { $transaction: <T>(work: (client: never) => Promise<T>) => work({} as never) }
  const announcer = { checkChanges: async () => false, announce: async () => {} }
  const transactPrisma = createPrismaTransact({ prisma, db: pool, announcer })

  await transactPrisma(violateOrder)

  expect(violations).toEqual([{ level: 'channels', after: 'users' }])
})
