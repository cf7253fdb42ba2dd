import { type Logger, type Loop, startLoop, transact } from '@tms/service-kit'
import { deleteMessages } from '../deletions/delete-messages.ts'
import type { Context } from '../kernel/context.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'
import {
  type ExpiredMessage,
  type ExpiringRecipient,
  listExpiredMessages,
  listExpiringRecipients,
} from './expired-message.queries.ts'

const DAY_MS = 86_400_000
/** Messages of one transaction, which locks their channel or conversation. */
const BATCH_SIZE = 100
/** Retention is in days, and a check costs a query over the organizations that have a policy. */
const PAUSE_MS = 3_600_000

/**
 * Deletes messages older than the retention time of their channel or organization, with their files, and publishes the
 * deletion to the users who could read them (API document, "Attachment"). Several replicas may run it at once.
 */
export function startRetention(context: Context, log: Logger): Loop {
  return startLoop({
    name: 'message retention',
    log,
    retryMs: 60_000,
    round: async (signal) => {
      for (const recipient of await listExpiringRecipients(context.db, context.now())) {
        let count = BATCH_SIZE
        while (count === BATCH_SIZE && !signal.aborted) {
          count = await removeExpired(context, recipient)
          context.blobDeletion.wake()
          if (count > 0) log.info({ count, recipientId: recipient.recipientId }, 'expired messages deleted')
        }
      }
      return PAUSE_MS
    },
  })
}

/** Deletes a batch, and returns its number of messages. */
function removeExpired(context: Context, recipient: ExpiringRecipient): Promise<number> {
  const { realmId, recipientId, channelId, userIds, days } = recipient
  const cutoff = new Date(context.now().getTime() - days * DAY_MS)
  return transact(context.db, async (tx) => {
    await lockForRemoval(tx, [recipientId])
    const expired = await listExpiredMessages(tx, recipientId, cutoff, BATCH_SIZE)
    for (const { topic, messageIds } of byTopic(expired)) {
      const deletion = {
        messageIds,
        recipientId,
        channel: channelId === null ? null : { id: channelId, topic },
        userIds: userIds ?? [],
      }
      await deleteMessages(tx, context, deletion, { realmId, requestId: null })
    }
    return expired.length
  })
}

/** One deletion event covers one topic. */
function byTopic(messages: readonly ExpiredMessage[]): { topic: string; messageIds: number[] }[] {
  const topics = new Map<string, { topic: string; messageIds: number[] }>()
  for (const { id, topic, topicKey } of messages) {
    const found = topics.get(topicKey)
    if (found) found.messageIds.push(id)
    else topics.set(topicKey, { topic, messageIds: [id] })
  }
  return [...topics.values()]
}
