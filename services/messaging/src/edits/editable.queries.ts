import type { Tx } from '@tms/service-kit'
import { LINK_MARKS } from '../messages/link-marks.ts'

/** What of a message an edit begins with. */
export interface Standpoint {
  readonly recipientId: number
  readonly topic: string
  readonly content: string
  readonly html: string
}

/** How a message is now, under the lock of its place; null if it is gone. */
export async function findStandpoint(tx: Tx, messageId: number): Promise<Standpoint | null> {
  const { rows } = await tx.query<Standpoint>({
    name: 'find-standpoint',
    text: `
      select recipient_id as "recipientId", topic, content, rendered_content as html
        from messages
       where id = $1`,
    values: [messageId],
  })
  return rows[0] ?? null
}

/** A new text of a message, with everything that follows from the text. */
export interface NewText {
  readonly content: string
  readonly html: string
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
}

/** Replaces a message's text. That and when it changed is noted by `relocate`. */
export async function updateText(tx: Tx, messageId: number, text: NewText): Promise<void> {
  await tx.query({
    name: 'update-text',
    text: `
      update messages
         set content = $2, rendered_content = $3, mentions_channel = $4, mentions_topic = $5,
             ${LINK_MARKS.map((fact) => `${fact} = ${fact}($3)`).join(', ')}
       where id = $1`,
    values: [messageId, text.content, text.html, text.mentionsChannel, text.mentionsTopic],
  })
}
