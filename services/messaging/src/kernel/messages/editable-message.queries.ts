import type { Tx } from '@tms/service-kit'

/** A message before an edit or a deletion. */
export interface EditableMessage {
  readonly recipientId: number
  readonly topic: string
  readonly content: string
  readonly html: string
}

/** Finds a message under the lock of its recipient; null if it doesn't exist any more. */
export async function findEditableMessage(tx: Tx, messageId: number): Promise<EditableMessage | null> {
  const { rows } = await tx.query<EditableMessage>({
    name: 'find-editable-message',
    text: `
      select recipient_id as "recipientId", topic, content, rendered_content as html
        from messages
       where id = $1`,
    values: [messageId],
  })
  return rows[0] ?? null
}
