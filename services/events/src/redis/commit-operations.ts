import type { QueueRecord } from '@tms/contracts'
import type { Changes } from '../delivery/changes.ts'
import { toStoredRecord } from '../kernel/queue-state.ts'

/** Message to all replicas about a commit: events by queue, opened queues and closed queues. */
export interface CommitNotice {
  readonly events: Readonly<Record<string, readonly number[]>>
  readonly opened: readonly string[]
  readonly closed: readonly string[]
  /** The commit's spans in the traces of entries, by offset; absent if no entry is traced. */
  readonly traceparents?: Readonly<Record<string, string>> | undefined
}

/** Lua's unpack takes about 8,000 arguments at most. */
const MAX_UNPACKED = 5_000

/** Returns `user|lifespan|JSON`, so that scripts needn't parse JSON at every poll. */
function serializeRecord(record: QueueRecord): string {
  return `${record.user_id}|${record.lifespan_seconds}|${JSON.stringify(toStoredRecord(record))}`
}

export function parseRecord(text: string): QueueRecord {
  return JSON.parse(text.slice(text.indexOf('{'))) as QueueRecord
}

/** The message about a batch's changes; null if they concern no other replica. */
export function commitNoticeOf(
  { deliveries, finalDeliveries, opened, closed }: Changes,
  traceparents?: CommitNotice['traceparents'],
): CommitNotice | null {
  if (deliveries.size === 0 && opened.length === 0 && closed.length === 0) return null
  const openedIds = opened.map(({ queue_id }) => queue_id)
  return {
    events: Object.fromEntries([...deliveries, ...finalDeliveries]),
    opened: openedIds,
    closed,
    traceparents,
  }
}

/** Operations of the COMMIT script for a batch's changes, in the order of their dependencies. */
export function operationsOf(changes: Changes): (string | number)[] {
  const operations: (string | number)[] = []
  for (const record of changes.opened) {
    for (const [index, part] of splitIntoChunks(record.channel_ids).entries()) {
      if (index === 0) {
        operations.push(
          'O',
          record.queue_id,
          serializeRecord(record),
          record.lifespan_seconds,
          part.length,
          ...part,
        )
      } else for (const channelId of part) operations.push('A', record.queue_id, channelId)
    }
    for (const part of splitIntoChunks(record.guest_visibility?.visible_user_ids ?? [])) {
      if (part.length > 0) operations.push('S', record.queue_id, part.length, ...part)
    }
  }
  for (const { record } of changes.updatedQueues)
    operations.push('U', record.queue_id, serializeRecord(record))
  for (const { queueId, channelId, isSubscribed } of changes.subscriptions) {
    operations.push(isSubscribed ? 'A' : 'R', queueId, channelId)
  }
  for (const { queueId, userId, isVisible } of changes.visibility) {
    if (isVisible) operations.push('S', queueId, 1, userId)
    else operations.push('D', queueId, userId)
  }
  for (const [offset, body] of changes.payloads) operations.push('L', offset, body)
  for (const [queueId, eventIds] of changes.deliveries) {
    for (const part of splitIntoChunks(eventIds)) operations.push('P', queueId, part.length, ...part)
  }
  for (const queueId of changes.closed) operations.push('C', queueId)
  return operations
}

function splitIntoChunks(values: readonly number[]): readonly (readonly number[])[] {
  if (values.length <= MAX_UNPACKED) return [values]
  const parts: number[][] = []
  for (let at = 0; at < values.length; at += MAX_UNPACKED) parts.push(values.slice(at, at + MAX_UNPACKED))
  return parts
}
