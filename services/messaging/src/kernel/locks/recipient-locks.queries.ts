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

/**
 * Locks a recipient, where messages have their order, until the transaction ends. Returns its version, which increases
 * when a permission in the channel may have been withdrawn; null if the recipient doesn't exist.
 */
export async function lockRecipient(tx: Tx, recipientId: number): Promise<number | null> {
  tx.lockRecord.add(locks.recipients, [recipientId])
  const { rows } = await tx.query<{ version: number }>({
    name: 'lock-recipient',
    text: `
      select version
        from recipients
       where id = $1
         for no key update`,
    values: [recipientId],
  })
  return rows[0]?.version ?? null
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
