import {
  type Broker,
  createLog,
  createMetrics,
  createPool,
  judgeSequence,
  type Pool,
  startOutboxRelay,
} from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimLease, claimNext, releaseLease } from '../../libs/service-kit/src/outbox/relay.queries.ts'
import { until } from './support/until.ts'

const SOURCE = 'messaging'
const MEGABYTE = 1_000_000
const log = createLog('test', 'silent')
let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 4, log)
}, 120_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
}, 30_000)

/** What the broker was given, in order, again and again where it was given more than once. */
let published: { seq: number; stream: string; payload: number }[]
/** Bytes that the broker has been given and not confirmed: now, and at most. */
let underWay: number
let mostUnderWay: number
/** Counts what was added to the outbox. */
let added: number
beforeEach(async () => {
  published = []
  underWay = 0
  mostUnderWay = 0
  added = 0
  await db.query('delete from outbox')
})

/** A broker that confirms all it is given. */
const broker = {
  confirmChannel: async () => ({
    setMaxListeners: () => {},
    once: () => {},
    removeListener: () => {},
    close: async () => {},
    publish: (_exchange: string, _key: string, body: Buffer, _options: object, confirm: () => void) => {
      published.push(JSON.parse(body.toString()))
      underWay += body.length
      mostUnderWay = Math.max(mostUnderWay, underWay)
      setImmediate(() => {
        underWay -= body.length
        confirm()
      })
    },
  }),
} as unknown as Broker

/** The database, but that something happens to the first statement that looks so. */
const withFault = (
  statement: RegExp,
  when: 'before' | 'after',
): { faulty: Pool; hasHappened: () => boolean } => {
  let isArmed = true
  const query = async (...args: Parameters<Pool['query']>) => {
    const [asked] = args as unknown as [string | { text: string }]
    const isMeant = isArmed && statement.test(typeof asked === 'string' ? asked : asked.text)
    if (isMeant && when === 'before') {
      isArmed = false
      throw new Error('no connection could be had')
    }
    const result = await (db.query(...args) as unknown as Promise<{ rowCount: number }>)
    // Of a claim that finds nothing, nothing is lost.
    if (!isMeant || result.rowCount === 0) return result
    isArmed = false
    throw new Error('the connection ended before the answer came')
  }
  return { faulty: { query } as unknown as Pool, hasHappened: () => !isArmed }
}

/** Adds so many events, each with a payload of so many bytes. */
const add = async (count: number, size = 10) => {
  await db.query(
    `insert into outbox (event, realm_id, payload)
     select 'messaging.message_sent.v1', 1, rpad(n::text, $3) from generate_series($1::int, $2::int) n`,
    [added + 1, added + count, size],
  )
  added += count
}
const untilAllGone = () =>
  until(async () => (await db.query('select 1 from outbox limit 1')).rows.length === 0)
/** What a consumer takes: successors of what it has, from the first that it sees. */
const taken = () => {
  let last: number | undefined
  return published
    .filter(({ seq }) => {
      const isTaken = judgeSequence(last, seq) === 'take'
      if (isTaken) last = seq
      return isTaken
    })
    .map(({ payload }) => payload)
}
const relayWhile = async (over: Pool, during: () => Promise<void>): Promise<void> => {
  const metrics = createMetrics('test')
  const relay = startOutboxRelay({ source: SOURCE, db: over, broker, exchange: 'x', log, metrics })
  try {
    await during()
    await untilAllGone()
  } finally {
    await relay.stop()
  }
}
/** Relays while something happens to the database; six more events come afterwards. */
const relayThrough = ({ faulty, hasHappened }: ReturnType<typeof withFault>): Promise<void> =>
  relayWhile(faulty, async () => {
    await until(async () => hasHappened())
    await add(3)
    await untilAllGone()
    await add(3)
  })
/** Leaves what there is as a relay does that claims it and dies. */
const claimAndDie = async ({ bytes }: { bytes: number }) => {
  const token = (await claimLease(db, 60_000)) ?? 0
  await claimNext(db, { source: SOURCE, token, confirmedSeq: 0, limit: 500, bytes, leaseMs: 60_000 })
  await releaseLease(db, token)
}

describe('a relay of an outbox publishes everything, in order, though', () => {
  test.each([
    ['a claim fails', /picked/, 'before'],
    ['the answer of a claim that was done is lost', /picked/, 'after'],
    ['its lease can not be renewed for a moment', /set leased_until = clock/, 'before'],
    ['the answer of a renewal is lost', /set leased_until = clock/, 'after'],
    ['it can not ask what there is', /select 1 from outbox where seq is null/, 'before'],
  ] as const)('%s', async (_, statement, when) => {
    await add(3)
    await relayThrough(withFault(statement, when))

    expect(taken()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test.each([
    ['it can not read', 'before'],
    ['it does not hear', 'after'],
  ] as const)('%s at first what one that died has claimed', async (_, when) => {
    await add(3)
    await claimAndDie({ bytes: MEGABYTE })
    await relayThrough(withFault(/seq > /, when))

    expect(taken()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('of large events a relay has no more at once than fit into memory', () => {
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

  test('and one that is larger than that by itself', async () => {
    await add(20, MEGABYTE)
    await add(1, 10 * MEGABYTE)
    await add(20, MEGABYTE)
    await relayWhile(db, async () => {})

    expect(published.map(({ payload }) => payload)).toEqual(upTo(41))
    expect(mostUnderWay).toBeLessThan(10.1 * MEGABYTE)
  })

  test('also of what one that died has claimed, be it more', async () => {
    await add(30, MEGABYTE)
    await claimAndDie({ bytes: 1_000 * MEGABYTE })
    await add(3)
    await relayWhile(db, async () => {})

    expect(published.map(({ payload }) => payload)).toEqual(upTo(33))
    expect(mostUnderWay).toBeLessThan(8.5 * MEGABYTE)
  })
})
