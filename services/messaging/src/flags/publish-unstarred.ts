import { domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/** A user's star on a message. */
export interface Star {
  readonly messageId: number
  readonly userId: number
}

/**
 * Publishes that stars went with their messages, to users who no longer see the channel: nothing else about the messages
 * is delivered to them, but the messages are still in their list of starred ones. `informedIds` are users who receive an
 * event about the messages.
 */
export async function publishUnstarred(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  stars: readonly Star[],
  informedIds: readonly number[],
  cause: Cause,
): Promise<void> {
  const informed = new Set(informedIds)
  const byUser = Map.groupBy(stars, ({ userId }) => userId)
  for (const [user_id, ofUser] of byUser) {
    if (informed.has(user_id)) continue
    const messages = ofUser.map(({ messageId }) => messageId).sort((one, other) => one - other)
    await publish(
      tx,
      domainEvents.messaging.messageFlagsUpdated,
      { user_id, op: 'remove', flag: 'starred', messages, all: false },
      cause,
    )
  }
}
