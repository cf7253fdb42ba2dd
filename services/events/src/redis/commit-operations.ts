import type { QueueRecord } from '@tms/contracts'
import type { Changes } from '../partitions/changes.ts'

/** What other replicas are told of a commit: events by queue, queues that are new, and queues that ended. */
export interface Wake {
  readonly events: Readonly<Record<string, readonly number[]>>
  readonly opened: readonly string[]
  readonly closed: readonly string[]
  /** The commit's spans in the traces of entries, by offset, where any of them is part of one. */
  readonly traceparents?: Readonly<Record<string, string>> | undefined
}

/** The limit of arguments that Lua's unpack takes at once is about 8,000. */
const MAX_UNPACKED = 5_000

/** Stored as `user|lifespan|JSON`, so that scripts need not parse JSON at every poll. */
function textOfRecord(record: QueueRecord): string {
  // Subscriptions change, as does whom a guest sees: each is kept as a set of its own.
  const guest_visibility = record.guest_visibility && { ...record.guest_visibility, visible_user_ids: [] }
  const kept = { ...record, channel_ids: [], guest_visibility }
  return `${record.user_id}|${record.lifespan_seconds}|${JSON.stringify(kept)}`
}

/** Reads a stored record. */
export function parseRecord(text: string): QueueRecord {
  return JSON.parse(text.slice(text.indexOf('{'))) as QueueRecord
}

/** What other replicas are told; null when there is nothing to tell. */
export function wakeOf(
  { deliveries, farewells, opened, closed }: Changes,
  traceparents?: Wake['traceparents'],
): Wake | null {
  if (deliveries.size === 0 && opened.length === 0 && closed.length === 0) return null
  const openedIds = opened.map(({ record }) => record.queue_id)
  return {
    events: Object.fromEntries([...deliveries, ...farewells]),
    opened: openedIds,
    closed,
    traceparents,
  }
}

/** A batch's changes as the COMMIT script's operations, in an order in which each finds what it needs. */
export function operationsOf(changes: Changes): (string | number)[] {
  const operations: (string | number)[] = []
  for (const { record } of changes.opened) {
    for (const [index, part] of chunks(record.channel_ids).entries()) {
      if (index === 0) {
        operations.push(
          'O',
          record.queue_id,
          textOfRecord(record),
          record.lifespan_seconds,
          part.length,
          ...part,
        )
      } else for (const channelId of part) operations.push('A', record.queue_id, channelId)
    }
    for (const part of chunks(record.guest_visibility?.visible_user_ids ?? [])) {
      if (part.length > 0) operations.push('S', record.queue_id, part.length, ...part)
    }
  }
  for (const { record } of changes.restated) operations.push('U', record.queue_id, textOfRecord(record))
  for (const { queueId, channelId, isSubscribed } of changes.subscriptions) {
    operations.push(isSubscribed ? 'A' : 'R', queueId, channelId)
  }
  for (const { queueId, userId, isSeen } of changes.sights) {
    if (isSeen) operations.push('S', queueId, 1, userId)
    else operations.push('D', queueId, userId)
  }
  for (const [offset, body] of changes.payloads) operations.push('L', offset, body)
  for (const [queueId, eventIds] of changes.deliveries) {
    for (const part of chunks(eventIds)) operations.push('P', queueId, part.length, ...part)
  }
  for (const queueId of changes.closed) operations.push('C', queueId)
  return operations
}

function chunks(values: readonly number[]): readonly (readonly number[])[] {
  if (values.length <= MAX_UNPACKED) return [values]
  const parts: number[][] = []
  for (let at = 0; at < values.length; at += MAX_UNPACKED) parts.push(values.slice(at, at + MAX_UNPACKED))
  return parts
}
