import type { MessageFlag } from '@tms/contracts'
import type { NotifiedUsers } from './notified-users.rules.ts'

/** Flags that every recipient of a message has from the beginning. */
export function flagsOfAll({ mentionsChannel }: { mentionsChannel: boolean }): MessageFlag[] {
  return mentionsChannel ? ['stream_wildcard_mentioned', 'wildcard_mentioned'] : []
}

/** Flags of the recipients that have flags of their own from the beginning. */
export function flagsByUser(
  readerIds: readonly number[],
  { mentionedUserIds, calledBotIds, alertedUserIds, participantIds }: Omit<NotifiedUsers, 'webhookIds'>,
): Record<string, MessageFlag[]> {
  const byUser: Record<string, MessageFlag[]> = {}
  const add = (userId: number, ...more: MessageFlag[]) => {
    byUser[userId] = [...(byUser[userId] ?? []), ...more]
  }
  for (const userId of readerIds) add(userId, 'read')
  for (const userId of [...mentionedUserIds, ...calledBotIds]) add(userId, 'mentioned')
  for (const userId of alertedUserIds) add(userId, 'has_alert_word')
  for (const userId of participantIds) add(userId, 'topic_wildcard_mentioned', 'wildcard_mentioned')
  return byUser
}
