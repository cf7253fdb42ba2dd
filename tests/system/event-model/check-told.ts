import { domainEvents, Role } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'
import { ClientView } from './client-view.ts'
import { keyOf } from './event-key.ts'
import type { Known } from './known-log.ts'
import type { RoamingClient } from './roaming-client.ts'

const { channelVisibilityChanged } = domainEvents.messaging
/** Event IDs are made from log offsets, so many for each. */
const IDS_PER_OFFSET = 4096

interface Expected {
  readonly offset: number
  readonly key: string
}

/**
 * Compares what a client was told with what the log says that it was to be told: after the state that register gave,
 * each event that concerns it, once, in the order of the log, under an ID that is made from its offset there.
 */
export function checkTold(client: RoamingClient, log: readonly Known[], horizon: number): string[] {
  const opening = findOpening(client, log)
  if (!opening) return [`${client.describe()}: its queue is not in the log`]
  const expected = expectedOf(client, log, opening, horizon)
  const events = client.received.map(({ event }) => event).filter(({ id }) => offsetOf(id) <= horizon)
  return differenceOf(client, expected, events)
}

/** The log offset that an event ID was made from. */
export function offsetOf(eventId: number): number {
  return Math.floor(eventId / IDS_PER_OFFSET)
}

interface Opening {
  readonly since: number
  readonly isShown: (source: string, xid: number) => boolean
}

function findOpening({ queueId }: RoamingClient, log: readonly Known[]): Opening | null {
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

/** Whether a snapshot of PostgreSQL, `xmin:xmax:running,…`, shows what a transaction did. */
function showsTransaction(snapshot: string, xid: number): boolean {
  const [xmin, xmax, running = ''] = snapshot.split(':')
  if (xid < Number(xmin)) return true
  return xid < Number(xmax) && !running.split(',').includes(String(xid))
}

function expectedOf(
  client: RoamingClient,
  log: readonly Known[],
  { since, isShown }: Opening,
  horizon: number,
): Expected[] {
  const { wants } = client.plan
  const isInState = ({ entry, offset }: Known) =>
    entry.seq === 0 ? offset <= since : isShown(entry.source, entry.xid)
  const types = wants === 'everything' ? null : wants === 'messages' ? ['message', 'typing'] : ['message']
  const subscriptions = client.state['subscriptions'] as { stream_id: number }[]
  const view = new ClientView({
    userId: client.api.userId,
    role: roleIn(client, log.filter(isInState)),
    channelIds: subscriptions.map(({ stream_id }) => stream_id),
    hearsPublicMessages: wants === 'public messages',
  })
  return log
    .filter((known) => !isInState(known) && known.offset <= horizon)
    .flatMap(({ entry, offset }) =>
      view
        .take(entry)
        .filter(({ type }) => types === null || types.includes(type))
        .map(({ key }) => ({ offset, key })),
    )
}

/** The role that messaging knew when it read the state. At the beginning of a history all are members. */
function roleIn({ plan, api }: RoamingClient, shown: readonly Known[]): number {
  let role: number = plan.who === 0 ? Role.owner : Role.member
  for (const { entry } of shown) {
    if (entry.event !== channelVisibilityChanged.name) continue
    const payload = entry.payload as { user_id: number; role: number }
    if (payload.user_id === api.userId) role = payload.role
  }
  return role
}

function differenceOf(
  client: RoamingClient,
  expected: readonly Expected[],
  events: readonly ClientEvent[],
): string[] {
  let at = 0
  for (const event of events) {
    const wanted = expected[at]
    const isWanted = wanted?.offset === offsetOf(event.id) && wanted.key === keyOf(event)
    const taken = isWanted ? 1 : flagsIn(event, expected.slice(at))
    if (taken === 0) {
      const came = `${offsetOf(event.id)} ${keyOf(event)}`
      return [`${client.describe()} was told ${came}, where ${describe(wanted)} was due, after ${at} events`]
    }
    at += taken
  }
  // Who left has not waited for the rest.
  if (at === expected.length || client.hasLeft) return []
  const missing = expected.length - at
  return [
    `${client.describe()} was not told the last ${missing} of ${expected.length}: ${describe(expected[at])}`,
  ]
}

/** Changes of one flag that wait beside each other may be told as one: of how many this event tells. */
function flagsIn({ id, type, op, flag, messages }: ClientEvent, expected: readonly Expected[]): number {
  if (type !== 'update_message_flags') return 0
  const prefix = `${type} ${op} ${flag} `
  const wanted = [...(messages as number[])].sort((a, b) => a - b).join()
  const together = new Set<number>()
  for (const [index, { offset, key }] of expected.entries()) {
    if (!key.startsWith(prefix) || offset > offsetOf(id)) return 0
    for (const message of key.slice(prefix.length).split(',')) together.add(Number(message))
    if (offset === offsetOf(id)) {
      return [...together].sort((a, b) => a - b).join() === wanted ? index + 1 : 0
    }
  }
  return 0
}

const describe = (expected: Expected | undefined): string =>
  expected === undefined ? 'nothing' : `${expected.offset} ${expected.key}`
