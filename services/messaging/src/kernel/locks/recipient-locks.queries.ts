import type { Tx } from '@tms/service-kit'
import { locks } from './locks.ts'

/**
 * Locks recipients in the order of their IDs, so that two transactions can't deadlock. While the lock is held no
 * message is sent to them, so a change of subscriptions has a definite position among the messages. Senders take
 * the same lock; foreign keys to the row don't wait for it.
 */
export async function lockRecipients(tx: Tx, recipientIds: readonly number[]): Promise<void> {
  tx.lockRecord.add(locks.recipients, recipientIds)
  await tx.query({
    name: 'lock-recipients',
    text: `
      select id
        from recipients
       where id = any($1)
       order by id
         for no key update`,
    values: [recipientIds],
  })
}

/** What tells whether a channel is still as it was checked. */
interface LockedRecipient {
  /** Increases when a permission in the channel may have been withdrawn. */
  readonly version: number
  /** Counts how often users joined it. */
  readonly joins: number
}

/** Locks a recipient, where messages have their order, until the transaction ends; null if it doesn't exist. */
export async function lockRecipient(tx: Tx, recipientId: number): Promise<LockedRecipient | null> {
  tx.lockRecord.add(locks.recipients, [recipientId])
  const { rows } = await tx.query<LockedRecipient>({
    name: 'lock-recipient',
    text: `
      select version, joins
        from recipients
       where id = $1
         for no key update`,
    values: [recipientId],
  })
  return rows[0] ?? null
}

/** Locks a message, if it exists, until the transaction ends. */
export async function lockMessage(tx: Tx, messageId: number): Promise<void> {
  tx.lockRecord.add(locks.messages, [messageId])
  await tx.query({
    name: 'lock-message',
    text: `
      select
        from messages
       where id = $1
         for no key update`,
    values: [messageId],
  })
}
