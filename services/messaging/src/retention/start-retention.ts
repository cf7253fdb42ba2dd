import { inTransaction, type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { remove } from '../deletions/remove.ts'
import { lockForRemoval } from '../messages/place-locks.queries.ts'
import {
  type ExpiredMessage,
  type ExpiringPlace,
  listExpiredMessages,
  listExpiringPlaces,
} from './expired-message.queries.ts'

const DAY_MS = 86_400_000
/** Messages of one transaction: their place is locked while they go. */
const BATCH_SIZE = 100
/** Policies are in days; looking costs a query over the places of organizations that have one. */
const PAUSE_MS = 3_600_000

/**
 * Deletes messages that are older than their channel or organization keeps them, with their files, and tells who could read them
 * (API document, "Attachment"). Any number of replicas may do it at once.
 */
export function startRetention(context: Context, log: Logger): Loop {
  return startLoop({
    name: 'message retention',
    log,
    retryMs: 60_000,
    round: async (signal) => {
      for (const place of await listExpiringPlaces(context.db, context.now())) {
        let count = BATCH_SIZE
        while (count === BATCH_SIZE && !signal.aborted) {
          count = await removeExpired(context, place)
          context.relay.wake()
          context.blobDeletion.wake()
          if (count > 0) log.info({ count, recipientId: place.recipientId }, 'expired messages deleted')
        }
      }
      return PAUSE_MS
    },
  })
}

/** Deletes a batch, and returns how many messages it was. */
function removeExpired(context: Context, place: ExpiringPlace): Promise<number> {
  const { realmId, recipientId, channelId, userIds, days } = place
  const cutoff = new Date(context.now().getTime() - days * DAY_MS)
  return inTransaction(context.db, async (tx) => {
    await lockForRemoval(tx, [recipientId])
    const expired = await listExpiredMessages(tx, recipientId, cutoff, BATCH_SIZE)
    for (const { topic, messageIds } of byTopic(expired)) {
      const doomed = {
        messageIds,
        recipientId,
        channel: channelId === null ? null : { id: channelId, topic },
        userIds: userIds ?? [],
      }
      await remove(tx, context, doomed, { realmId, requestId: null })
    }
    return expired.length
  })
}

/** An event of deletion is of one topic. */
function byTopic(messages: readonly ExpiredMessage[]): { topic: string; messageIds: number[] }[] {
  const topics = new Map<string, { topic: string; messageIds: number[] }>()
  for (const { id, topic, topicKey } of messages) {
    const found = topics.get(topicKey)
    if (found) found.messageIds.push(id)
    else topics.set(topicKey, { topic, messageIds: [id] })
  }
  return [...topics.values()]
}
