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
const AUDIT_QUEUE = 'domain.audit'
const MEGABYTE = 1_000_000
const log = createLog('test', 'silent')
let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 4, log)
})
afterAll(async () => {
  await db.end()
  await databases.stop()
})

/** The messages that the broker received, in order, with repetitions. */
let published: { seq: number; stream: string; payload: number }[]
/** Those that the stream of the audit log received, and whether the broker refuses them. */
let audits: { seq: number; stream: string; audit: number }[]
let refusesAudits: boolean
/** Bytes that the broker received and has not confirmed: at present, and at most. */
let underWay: number
let mostUnderWay: number
/** Counts the rows that were added to the outbox. */
let added: number
beforeEach(async () => {
  published = []
  audits = []
  refusesAudits = false
  underWay = 0
  mostUnderWay = 0
  added = 0
  await db.query('delete from outbox')
  await db.query('delete from audit_outbox')
})

/** A broker that confirms everything, unless it refuses entries of the audit log. */
const broker = {
  confirmChannel: async () => ({
    setMaxListeners: () => {},
    once: () => {},
    removeListener: () => {},
    close: async () => {},
    publish: (
      _exchange: string,
      key: string,
      body: Buffer,
      _options: object,
      confirm: (err?: Error) => void,
    ) => {
      if (key === AUDIT_QUEUE) {
        audits.push(JSON.parse(body.toString()))
        return void setImmediate(() => confirm(refusesAudits ? new Error('refused') : undefined))
      }
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

/** The database, with a fault at the first matching statement. */
const withFault = (
  statement: RegExp,
  when: 'before' | 'after',
): { faulty: Pool; hasHappened: () => boolean } => {
  let isArmed = true
  const query = async (...args: Parameters<Pool['query']>) => {
    const [asked] = args as unknown as [string | { text: string }]
    const isTarget = isArmed && statement.test(typeof asked === 'string' ? asked : asked.text)
    if (isTarget && when === 'before') {
      isArmed = false
      throw new Error('no connection available')
    }
    const result = await (db.query(...args) as unknown as Promise<{ rowCount: number }>)
    // A claim without rows loses nothing.
    if (!isTarget || result.rowCount === 0) return result
    isArmed = false
    throw new Error('the connection ended before the answer came')
  }
  return { faulty: { query } as unknown as Pool, hasHappened: () => !isArmed }
}

/** Adds events, each with a payload of this number of bytes. */
const add = async (count: number, size = 10) => {
  await db.query(
    `insert into outbox (event, realm_id, payload)
     select 'messaging.message_sent.v1', 1, rpad(n::text, $3) from generate_series($1::int, $2::int) n`,
    [added + 1, added + count, size],
  )
  added += count
}
/** Adds events with an entry of the audit log each. */
const addAudited = async (count: number) => {
  await db.query(
    `insert into outbox (event, realm_id, payload, audit)
     select 'messaging.channel_created.v1', 1, n::text, n::text from generate_series($1::int, $2::int) n`,
    [added + 1, added + count],
  )
  added += count
}
const waitUntilEmpty = () =>
  until(async () => (await db.query('select 1 from outbox limit 1')).rows.length === 0)
/** A consumer's view: successors of its last entry, from the first one that it sees. */
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
  const relay = startOutboxRelay({
    ...{ source: SOURCE, db: over, broker, exchange: 'x', auditQueue: AUDIT_QUEUE, log, metrics },
  })
  try {
    await during()
    await waitUntilEmpty()
  } finally {
    await relay.stop()
  }
}
/** Relays during a fault of the database; more events follow, so many at once that it rests. */
const relayThrough = ({ faulty, hasHappened }: ReturnType<typeof withFault>): Promise<void> =>
  relayWhile(faulty, async () => {
    await until(async () => hasHappened())
    await add(5)
    await waitUntilEmpty()
    await add(5)
  })
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
/** Leaves the outbox as a relay does that claims it and dies. */
const claimAndDie = async ({ bytes }: { bytes: number }) => {
  const token = (await claimLease(db, 60_000)) ?? 0
  await claim(token, bytes)
  await releaseLease(db, { token, deletedSeq: 0, confirmedSeq: 0 })
}
const claim = (token: number, bytes = MEGABYTE) =>
  claimNext(db, {
    ...{ source: SOURCE, token, deletedSeq: 0, confirmedSeq: 0 },
    ...{ limit: 500, bytes, leaseMs: 60_000 },
  })

describe('an outbox relay publishes everything, in order, when', () => {
  test.each([
    ['a claim fails', /picked/, 'before'],
    ['the answer of a claim that was done is lost', /picked/, 'after'],
    ['its lease cannot be renewed for a moment', /set leased_until = clock/, 'before'],
    ['the answer of a renewal is lost', /set leased_until = clock/, 'after'],
    ['it cannot ask what there is', /select 1 from outbox where seq is null/, 'before'],
  ] as const)('%s', async (_, statement, when) => {
    await add(5)
    await relayThrough(withFault(statement, when))

    expect(taken()).toEqual(upTo(15))
  })

  test.each([
    ['it cannot read', 'before'],
    ['it does not hear', 'after'],
  ] as const)('%s at first what one that died has claimed', async (_, when) => {
    await add(5)
    await claimAndDie({ bytes: MEGABYTE })
    await relayThrough(withFault(/seq > /, when))

    expect(taken()).toEqual(upTo(15))
  })
})

describe('after a failover to a server that gives numbers again', () => {
  test.each([
    ['that it notices', { isNoticed: true, hasDeleted: true }],
    ['that it does not notice', { isNoticed: false, hasDeleted: true }],
    ['that it notices before it has deleted what was confirmed', { isNoticed: true, hasDeleted: false }],
    ['that comes unnoticed before it has deleted this', { isNoticed: false, hasDeleted: false }],
  ])('%s, an outbox relay deletes what it published', async (_, { isNoticed, hasDeleted }) => {
    let isArmed = !hasDeleted
    const query = async (...args: Parameters<Pool['query']>) => {
      const [asked] = args as unknown as [string | { text: string }]
      if (isArmed && published.length > 0 && /picked/.test(typeof asked === 'string' ? asked : asked.text)) {
        isArmed = false
        await db.query('update outbox_relay set next_seq = 1')
        await db.query('update outbox set seq = null')
        if (isNoticed) throw new Error('the connection ended')
      }
      return db.query(...args)
    }
    await add(3)
    await relayWhile({ query } as unknown as Pool, async () => {
      await until(async () => published.length >= 3)
      if (hasDeleted) {
        await waitUntilEmpty()
        isArmed = true
      }
      await add(3)
      await until(async () => !isArmed)
    })

    expect((await db.query('select from outbox')).rows).toEqual([])
    expect(published.map(({ payload }) => payload)).toEqual(expect.arrayContaining(upTo(6)))
  })
})

describe('of large events a relay holds no more at once than fit into memory', () => {
  test('with one that is larger by itself', async () => {
    await add(20, MEGABYTE)
    await add(1, 10 * MEGABYTE)
    await add(20, MEGABYTE)
    await relayWhile(db, async () => {})

    expect(published.map(({ payload }) => payload)).toEqual(upTo(41))
    expect(mostUnderWay).toBeLessThan(10.1 * MEGABYTE)
  })

  test('including those that a dead relay had claimed', async () => {
    await add(30, MEGABYTE)
    await claimAndDie({ bytes: 1_000 * MEGABYTE })
    await add(3)
    await relayWhile(db, async () => {})

    expect(published.map(({ payload }) => payload)).toEqual(upTo(33))
    expect(mostUnderWay).toBeLessThan(8.5 * MEGABYTE)
  })
})

describe('entries of the audit log', () => {
  test('delay and repeat no event while their stream refuses them, and come when it takes them again', async () => {
    refusesAudits = true
    await relayWhile(db, async () => {
      for (let turn = 0; turn < 3; turn++) {
        await addAudited(2)
        await add(1)
        await waitUntilEmpty()
        await until(async () => audits.length > turn)
      }
      expect(published.map(({ payload }) => payload)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])

      refusesAudits = false
      audits = []
      await until(async () => (await db.query('select from audit_outbox')).rowCount === 0)
    })
    const [first] = published
    const entries = audits.map(({ audit, seq, stream }) => [audit, seq, stream])
    expect(entries.slice(-6)).toEqual(
      [1, 2, 4, 5, 7, 8].map((nth) => [nth, (first?.seq ?? 0) + nth - 1, first?.stream]),
    )
    expect(published.map(({ payload }) => payload)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('that were numbered and not published come from the next relay, once, in order', async () => {
    await addAudited(3)
    await claimAndDie({ bytes: MEGABYTE })
    await relayWhile(db, async () => {
      await until(async () => (await db.query('select from audit_outbox')).rowCount === 0)
    })

    expect(audits.map(({ audit }) => audit)).toEqual([1, 2, 3])
  })
})

test('the empty outbox has enough pages after a vacuum that claims are planned by its indexes', async () => {
  await db.query('vacuum analyze outbox')

  const { rows } = await db.query<{ 'QUERY PLAN': string }>(
    'explain select id from outbox where seq is null order by id limit (select 500)',
  )

  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('outbox_unclaimed')
})

test('a lease that is released deletes what the broker confirmed, unless another relay has it', async () => {
  await add(3)
  const token = (await claimLease(db, 60_000)) ?? 0
  const [first, second] = (await claim(token)) ?? []
  const confirmed = { deletedSeq: (first?.seq ?? 0) - 1, confirmedSeq: second?.seq ?? 0 }
  const waiting = async () => (await db.query('select from outbox')).rowCount

  await releaseLease(db, { token: token - 1, ...confirmed })
  expect([await waiting(), await claimLease(db, 60_000)]).toEqual([3, null])

  await releaseLease(db, { token, ...confirmed })
  expect(await waiting()).toBe(1)
  const next = (await claimLease(db, 60_000)) ?? 0
  expect(next).toBe(token + 1)
  await releaseLease(db, { token: next, deletedSeq: 0, confirmedSeq: 0 })
})

test('two claims of one relay, of which it believed the first one lost, number each event once and leave no gap', async () => {
  const token = (await claimLease(db, 60_000)) ?? 0
  await add(3)
  const lock = await db.connect()
  await lock.query('begin')
  await lock.query('select from outbox_relay for update')
  const claims = [claim(token), claim(token)]
  await until(async () => {
    const { rows } = await db.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like '%picked%'
          and datname = current_database()`,
    )
    return rows[0]?.waiting === 2
  })
  await lock.query('commit')
  lock.release()

  const numbered = (await Promise.all(claims)).flatMap((events) => events ?? [])
  await add(1)
  const [next] = (await claim(token)) ?? []
  await releaseLease(db, { token, deletedSeq: 0, confirmedSeq: 0 })
  const seqs = numbered.map(({ seq }) => seq)
  expect(seqs).toHaveLength(3)
  expect(next?.seq).toBe(Math.max(...seqs) + 1)
})
