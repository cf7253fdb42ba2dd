import { domainEvents, type LogEntry, type QueueRecord, Role } from '@tms/contracts'
import { createLog } from '@tms/service-kit'
import { expect, test } from 'vitest'
import { isEmpty } from '../delivery/changes.ts'
import type { LogRecord } from '../log/entry.ts'
import type { LogTail } from '../log/log-tail.ts'
import type { CommitPoint, PartitionStore } from '../redis/partition-store.ts'
import { type LossReason, Partition } from './partition.ts'

const READER = 7
const queue = {
  ...{ queue_id: 'q', realm_id: 1, user_id: READER, role: Role.member, channel_role: Role.member },
  ...{ event_types: null, narrow: [], all_public_streams: false, channel_ids: [], guest_visibility: null },
  ...{ client_capabilities: {}, snapshots: {} },
} as unknown as QueueRecord

const aRecord = (offset: number, event: string, payload: object): LogRecord => {
  const source = event.split('.')[0] as LogEntry['source']
  const entry = {
    stream: 's',
    source,
    seq: offset,
    xid: offset,
    event,
    realm_id: 1,
    at: 0,
    request_id: null,
    payload,
  }
  return { offset, entry, body: '', positions: {}, cache: new Map() }
}
const aMessage = (offset: number): LogRecord =>
  aRecord(offset, domainEvents.messaging.messageSent.name, {
    ...{ message: { type: 'private', display_recipient: [] }, recipient_user_ids: [READER] },
    ...{ is_public_channel: false, flags_by_user: {}, flags_of_all: [] },
  })
const nothing = (offset: number): LogRecord => ({ ...aMessage(offset), entry: null })

/** Starts a partition at offset 10 with a queue. `written` has the offset of each commit and whether it has changes. */
async function start(
  answer: (attempt: number) => Promise<'done'>,
  rereadSkipped: (partition: Partition) => void = () => {},
  logTail = {} as LogTail,
  onLost: (reason: LossReason) => void = () => {},
) {
  const written: [number, boolean][] = []
  let attempts = 0
  const store = {
    load: async () => ({
      offset: 10,
      positions: {},
      queues: [{ record: queue, channelIds: [], visibleUserIds: [] }],
    }),
    commit: async (_: number, { offset }: CommitPoint, changes: Parameters<PartitionStore['commit']>[2]) => {
      const outcome = await answer(++attempts)
      written.push([offset, !isEmpty(changes)])
      return outcome
    },
  } as unknown as PartitionStore
  const partition: Partition = new Partition({
    ...{ number: 0, partitionCount: 1, token: 't', store, logTail },
    ...{ log: createLog('test', 'silent'), onLost, onCommitted: () => {} },
    rereadSkipped: () => rereadSkipped(partition),
  })
  await partition.load()
  return { partition, written }
}

test('a stopped partition commits the records that it was offered before', async () => {
  const { partition, written } = await start(async () => 'done')
  partition.offer([aMessage(11), nothing(12)])
  await partition.stop()

  expect(written).toEqual([[12, true]])
})

test('a partition stopped while Redis is unavailable leaves uncommitted records to the next owner', async () => {
  const { partition, written } = await start((attempt) =>
    attempt === 1 ? Promise.reject(new Error('Connection is closed.')) : Promise.resolve('done'),
  )
  partition.offer([aMessage(11)])
  await partition.stop()

  expect(written).toEqual([])
})

/** Builds many records with one shared body, so that the test needs little memory. */
const logOf = (count: number, body: string): LogRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    ...(index === 0 || index === count - 1 ? aMessage(11 + index) : nothing(11 + index)),
    body,
  }))

test.each([
  ['many entries', logOf(30_000, ''), [20_011]],
  ['large entries', logOf(200, 'x'.repeat(1024 ** 2)), [75, 139, 203]],
])(
  'of %s a partition accepts a limited number while Redis is unavailable, and requests the rest later',
  async (_, log, offsets) => {
    let isUnavailable = true
    const requested: number[] = []
    const { partition, written } = await start(
      async () => {
        if (isUnavailable) throw new Error('Connection is closed.')
        return 'done'
      },
      ({ committed: { offset } }) => {
        requested.push(offset)
        partition.offer(log.filter((record) => record.offset > offset))
      },
    )
    partition.offer(log.slice(0, 1))
    partition.offer(log)
    const end = log.at(-1)?.offset ?? 0

    isUnavailable = false
    while (written.at(-1)?.[0] !== end) await new Promise((resolve) => setImmediate(resolve))

    expect(requested).toEqual(offsets)
    expect(written.filter(([, hasChanges]) => hasChanges).map(([offset]) => offset)).toEqual([11, end])
  },
)

test('retries reading the hand-off range of a new queue, after committing the records before it', async () => {
  const opening = aRecord(13, domainEvents.events.queueOpened.name, {
    queue: { ...queue, queue_id: 'fresh' },
    since: 10,
  })
  let readCount = 0
  const logTail = {
    recent: { between: () => null },
    readRange: async () => {
      if (++readCount < 3) throw new Error('domain.log could not be read in time')
      return [aMessage(12)]
    },
  } as unknown as LogTail
  const { partition, written } = await start(
    async () => 'done',
    () => {},
    logTail,
  )
  partition.offer([aMessage(11), opening, aMessage(14)])
  while (written.at(-1)?.[0] !== 14) await new Promise((resolve) => setImmediate(resolve))
  await partition.stop()

  expect(readCount).toBe(3)
  expect(partition.queueCount).toBe(2)
  // Records before the opening are committed at once.
  expect(written[0]).toEqual([11, true])
})

test('a partition that is stopped while it reads a hand-off range leaves the queue to the next owner', async () => {
  const opening = aRecord(12, domainEvents.events.queueOpened.name, {
    queue: { ...queue, queue_id: 'fresh' },
    since: 10,
  })
  let partition: Partition | null = null
  const logTail = {
    recent: { between: () => null },
    readRange: async () => {
      await Promise.resolve()
      void partition?.stop()
      throw new Error('domain.log could not be read in time')
    },
  } as unknown as LogTail
  const started = await start(
    async () => 'done',
    () => {},
    logTail,
  )
  partition = started.partition
  partition.offer([aMessage(11), opening])
  await partition.stop()

  expect(started.written).toEqual([[11, true]])
  expect(partition.queueCount).toBe(1)
})

test('a partition whose entries can’t be applied says so, and writes nothing of them', async () => {
  const { messageSent } = domainEvents.messaging
  const reasons: LossReason[] = []
  const { partition, written } = await start(
    async () => 'done',
    () => {},
    {} as LogTail,
    (reason) => reasons.push(reason),
  )
  partition.offer([aMessage(11), aRecord(12, messageSent.name, { message: null })])
  await partition.stop()

  expect(reasons).toEqual(['apply_failed'])
  expect(written).toEqual([])
})
