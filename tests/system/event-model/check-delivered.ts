import { domainEvents, Role } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'
import { ClientView } from './client-view.ts'
import { keyOf } from './event-key.ts'
import type { IntermittentClient } from './intermittent-client.ts'
import type { LogRecord } from './log-records.ts'

const { channelVisibilityChanged } = domainEvents.messaging
/** Event IDs are derived from log offsets, this many for each. */
const IDS_PER_OFFSET = 4096

interface Expected {
  readonly offset: number
  readonly key: string
}

/**
 * Compares the received events of a client with those that follow from the log: after the register state, each event that
 * concerns it, once, in the order of the log, with an ID derived from its offset.
 */
export function checkDelivered(
  client: IntermittentClient,
  log: readonly LogRecord[],
  lastOffset: number,
): string[] {
  const queueStart = findQueueStart(client, log)
  if (!queueStart) return [`${client.describe()}: its queue is not in the log`]
  const expected = expectedOf(client, log, queueStart, lastOffset)
  const events = client.received.map(({ event }) => event).filter(({ id }) => offsetOf(id) <= lastOffset)
  return differenceOf(client, expected, events)
}

/** The log offset of an event ID. */
export function offsetOf(eventId: number): number {
  return Math.floor(eventId / IDS_PER_OFFSET)
}

interface QueueStart {
  readonly since: number
  readonly isShown: (source: string, xid: number) => boolean
}

function findQueueStart({ queueId }: IntermittentClient, log: readonly LogRecord[]): QueueStart | null {
  const { queueOpened } = domainEvents.events
  for (const { entry } of log) {
    if (entry.event !== queueOpened.name) continue
    const { queue, since } = entry.payload as {
      queue: { queue_id: string; snapshots: Record<string, string> }
      since: number
    }
    if (queue.queue_id !== queueId) continue
    return { since, isShown: (source, xid) => showsTransaction(queue.snapshots[source] ?? '', xid) }
  }
  return null
}

/** Whether a snapshot of PostgreSQL, `xmin:xmax:running,…`, includes a transaction. */
function showsTransaction(snapshot: string, xid: number): boolean {
  const [xmin, xmax, running = ''] = snapshot.split(':')
  if (xid < Number(xmin)) return true
  return xid < Number(xmax) && !running.split(',').includes(String(xid))
}

function expectedOf(
  client: IntermittentClient,
  log: readonly LogRecord[],
  { since, isShown }: QueueStart,
  lastOffset: number,
): Expected[] {
  const { scope } = client.plan
  const isInState = ({ entry, offset }: LogRecord) =>
    entry.seq === 0 ? offset <= since : isShown(entry.source, entry.xid)
  const types = scope === 'everything' ? null : scope === 'messages' ? ['message', 'typing'] : ['message']
  const subscriptions = client.state['subscriptions'] as { stream_id: number }[]
  const view = new ClientView({
    userId: client.api.userId,
    role: roleIn(client, log.filter(isInState)),
    channelIds: subscriptions.map(({ stream_id }) => stream_id),
    receivesPublicMessages: scope === 'public messages',
  })
  return log
    .filter((known) => !isInState(known) && known.offset <= lastOffset)
    .flatMap(({ entry, offset }) =>
      view
        .apply(entry)
        .filter(({ type }) => types === null || types.includes(type))
        .map(({ key }) => ({ offset, key })),
    )
}

/** The role that messaging knew when it read the state. At the start of a history all are members. */
function roleIn({ plan, api }: IntermittentClient, shown: readonly LogRecord[]): number {
  let role: number = plan.who === 0 ? Role.owner : Role.member
  for (const { entry } of shown) {
    if (entry.event !== channelVisibilityChanged.name) continue
    const payload = entry.payload as { user_id: number; role: number }
    if (payload.user_id === api.userId) role = payload.role
  }
  return role
}

function differenceOf(
  client: IntermittentClient,
  expected: readonly Expected[],
  events: readonly ClientEvent[],
): string[] {
  let at = 0
  for (const event of events) {
    const expectedNext = expected[at]
    const isExpected = expectedNext?.offset === offsetOf(event.id) && expectedNext.key === keyOf(event)
    const joined = isExpected ? 1 : flagsIn(event, expected.slice(at))
    if (joined === 0) {
      const came = `${offsetOf(event.id)} ${keyOf(event)}`
      return [
        `${client.describe()} received ${came}, where ${describe(expectedNext)} was expected, after ${at} events`,
      ]
    }
    at += joined
  }
  // A client that left did not wait for the rest.
  if (at === expected.length || client.hasLeft) return []
  const missing = expected.length - at
  return [
    `${client.describe()} did not receive the last ${missing} of ${expected.length}: ${describe(expected[at])}`,
  ]
}

/** Adjacent pending changes of one flag may be joined: how many this event joins. */
function flagsIn({ id, type, op, flag, messages }: ClientEvent, expected: readonly Expected[]): number {
  if (type !== 'update_message_flags') return 0
  const prefix = `${type} ${op} ${flag} `
  const expectedNext = [...(messages as number[])].sort((a, b) => a - b).join()
  const together = new Set<number>()
  for (const [index, { offset, key }] of expected.entries()) {
    if (!key.startsWith(prefix) || offset > offsetOf(id)) return 0
    for (const message of key.slice(prefix.length).split(',')) together.add(Number(message))
    if (offset === offsetOf(id)) {
      return [...together].sort((a, b) => a - b).join() === expectedNext ? index + 1 : 0
    }
  }
  return 0
}

const describe = (expected: Expected | undefined): string =>
  expected === undefined ? 'nothing' : `${expected.offset} ${expected.key}`
