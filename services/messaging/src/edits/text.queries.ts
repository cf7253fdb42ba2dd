import type { Tx } from '@tms/service-kit'
import { LINK_MARKS } from '../kernel/messages/link-marks.ts'

/** A new text of a message, with everything derived from it. */
export interface NewText {
  readonly content: string
  readonly html: string
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
}

/** Replaces the text of a message. `recordEdit` records the edit and its time. */
export async function updateText(tx: Tx, messageId: number, text: NewText): Promise<void> {
  await tx.query({
    name: 'update-text',
    text: `
      update messages
         set content = $2, rendered_content = $3, mentions_channel = $4, mentions_topic = $5,
             ${LINK_MARKS.map((mark) => `${mark} = ${mark}($3)`).join(', ')}
       where id = $1`,
    values: [messageId, text.content, text.html, text.mentionsChannel, text.mentionsTopic],
  })
}
