import { connect } from 'amqplib'
import pg from 'pg'
import { nowMs } from '../processes/clock.ts'
import type { LoopResult } from './closed-loop.ts'

/** The size of a small message event. */
const BODY = Buffer.alloc(1024, 'x')
const TABLE = 'bench_rows'
const STREAM = 'bench.stream'

interface Loop {
  readonly seconds: number
  readonly warmUpSeconds: number
}

/** Inserts one row and commits, repeatedly, on the given number of connections: one round trip each. */
export async function runTransactions(
  options: Loop & { url: string; connections: number },
): Promise<LoopResult> {
  const clients = await Promise.all(
    Array.from({ length: options.connections }, () => openClient(options.url)),
  )
  try {
    await clients[0]?.query(
      `create table if not exists ${TABLE} (id bigint generated always as identity, body text)`,
    )
    return await repeatFor(
      options,
      clients.map((client) => () => insertRow(client)),
    )
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** Publishes to a stream with the given number of publishes in flight; each waits for its confirm before the next. */
export async function runConfirms(options: Loop & { url: string; inFlight: number }): Promise<LoopResult> {
  const stream = await openStream(options.url)
  try {
    return await repeatFor(
      options,
      Array.from({ length: options.inFlight }, () => stream.publish),
    )
  } finally {
    await stream.close()
  }
}

/** Runs a transaction, a publish with confirm, and other work in turn. Returns the latencies of the first two. */
export interface Floor {
  transaction(): Promise<number>
  confirm(): Promise<number>
  close(): Promise<void>
}

/** Opens connections to measure single transactions and confirms. */
export async function openFloor(urls: { postgres: string; rabbitmq: string }): Promise<Floor> {
  const client = await openClient(urls.postgres)
  await client.query(
    `create table if not exists ${TABLE} (id bigint generated always as identity, body text)`,
  )
  const stream = await openStream(urls.rabbitmq)
  return {
    transaction: () => timed(() => insertRow(client)),
    confirm: () => timed(stream.publish),
    close: async () => {
      await client.end()
      await stream.close()
    },
  }
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function insertRow(client: pg.Client): Promise<void> {
  await client.query({
    name: 'bench',
    text: `insert into ${TABLE} (body) values ($1)`,
    values: [BODY.toString()],
  })
}

async function openStream(
  url: string,
): Promise<{ publish: () => Promise<void>; close: () => Promise<void> }> {
  // Without noDelay a confirm waits for Nagle's algorithm.
  const connection = await connect(url, { noDelay: true })
  const channel = await connection.createConfirmChannel()
  await channel.assertQueue(STREAM, { durable: true, arguments: { 'x-queue-type': 'stream' } })
  const publish = () =>
    new Promise<void>((resolve, reject) => {
      channel.sendToQueue(STREAM, BODY, { persistent: true }, (err) => (err ? reject(err) : resolve()))
    })
  return { publish, close: () => connection.close() }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = nowMs()
  await work()
  return nowMs() - startedAt
}

async function repeatFor(
  { seconds, warmUpSeconds }: Loop,
  works: readonly (() => Promise<unknown>)[],
): Promise<LoopResult> {
  const countFrom = nowMs() + warmUpSeconds * 1000
  const until = countFrom + seconds * 1000
  const latencies: number[] = []
  const repeat = async (work: () => Promise<unknown>) => {
    while (nowMs() < until) {
      const ms = await timed(work)
      const at = nowMs()
      if (at >= countFrom && at < until) latencies.push(ms)
    }
  }
  await Promise.all(works.map(repeat))
  return { latencies, seconds }
}
