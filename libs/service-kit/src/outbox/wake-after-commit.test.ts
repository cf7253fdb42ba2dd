import { domainEvents } from '@tms/contracts'
import { beforeEach, expect, test } from 'vitest'
import type { Pool } from '../postgres/pool.ts'
import { createPrismaTransact } from '../postgres/prisma-transaction.ts'
import { type Tx, transact } from '../postgres/transaction.ts'
import { publisherOf } from './publish.ts'

/** What happened: statements by their first word, and what else a test names. */
let steps: string[]
beforeEach(() => {
  steps = []
})

const note = (step: string) => {
  steps.push(step)
}
const query = async (sql: string | { text: string }) => {
  note((typeof sql === 'string' ? sql : sql.text).split(' ')[0] ?? '')
  return { rows: [] }
}
const pool = {
  connect: async () => ({ query, release: () => {} }),
  markPublished: () => note('wake'),
} as unknown as Pool

const publish = publisherOf('messaging')
const publishOne = (tx: Tx) =>
  publish(
    tx,
    domainEvents.messaging.defaultChannelsChanged,
    { channel_ids: [] },
    { realmId: 1, requestId: null },
  )

test('the relay wakes once, after the commit of a transaction that published events', async () => {
  await transact(pool, async (tx) => {
    await publishOne(tx)
    await publishOne(tx)
  })

  expect(steps).toEqual(['begin', 'insert', 'insert', 'commit', 'wake'])
})

test('the relay sleeps on after a transaction without events, and after one that is rolled back', async () => {
  await transact(pool, (tx) => tx.query('update'))
  const failing = transact(pool, async (tx) => {
    await publishOne(tx)
    throw new Error('too late')
  })

  await expect(failing).rejects.toThrow('too late')
  expect(steps).toEqual(['begin', 'update', 'commit', 'begin', 'insert', 'rollback'])
})

/** Prisma gives each transaction a proxy of one client: whatever is assigned to it is assigned to that client. */
function aPrisma() {
  const shared = {}
  let transactions = 0
  return {
    $transaction: async <T>(
      work: (client: { $queryRawUnsafe<R>(sql: string): Promise<R> }) => Promise<T>,
    ) => {
      const name = `transaction ${++transactions}`
      const run = async (sql: string) => {
        note(`${name}: ${sql.split(' ')[0]}`)
        return []
      }
      const result = await work(
        new Proxy(shared, {
          set: (target, key, value) => Reflect.set(target, key, value),
          get: (target, key) => (key === '$queryRawUnsafe' ? run : Reflect.get(target, key)),
        }) as never,
      )
      note(`${name}: commit`)
      return result
    },
  }
}

const announcerOf = (isChanged: boolean) => ({
  checkChanges: async () => isChanged,
  announce: async () => note('announce'),
})

test('a transaction of Prisma announces its changes before the relay wakes for its events', async () => {
  const transactPrisma = createPrismaTransact({ prisma: aPrisma(), db: pool, announcer: announcerOf(true) })

  await transactPrisma(publishOne)

  expect(steps).toEqual(['transaction 1: insert', 'transaction 1: commit', 'announce', 'wake'])
})

test('a transaction of Prisma without changes and events announces nothing and lets the relay sleep', async () => {
  const transactPrisma = createPrismaTransact({ prisma: aPrisma(), db: pool, announcer: announcerOf(false) })

  await transactPrisma((tx) => tx.query('select 1'))

  expect(steps).toEqual(['transaction 1: select', 'transaction 1: commit'])
})

test('each of two transactions of Prisma at the same time runs its own statements', async () => {
  const transactPrisma = createPrismaTransact({ prisma: aPrisma(), db: pool, announcer: announcerOf(false) })

  await transactPrisma(async (first) => {
    await transactPrisma(publishOne)
    await first.query('update')
  })

  expect(steps).toEqual([
    'transaction 2: insert',
    'transaction 2: commit',
    'wake',
    'transaction 1: update',
    'transaction 1: commit',
  ])
})
