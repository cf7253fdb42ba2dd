import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { endpoints } from '@tms/contracts'
import { emojiData } from '@tms/emoji'
import { FileAnswer, type Handler } from '@tms/service-kit'

/** The document of all built-in emoji; `tag` changes with it. */
export interface EmojiDocument {
  readonly content: Buffer
  readonly tag: string
}

export interface EmojiDataContext {
  readonly emojiDocument: EmojiDocument
}

export function createEmojiDocument(): EmojiDocument {
  const content = Buffer.from(JSON.stringify(emojiData()))
  return { content, tag: createHash('sha256').update(content).digest('hex') }
}

/** Returns the names and codes of emoji, which clients need to show them. */
export const handleGetEmojiData: Handler<typeof endpoints.realm.getEmojiData, EmojiDataContext> = async ({
  context: { emojiDocument },
}) =>
  new FileAnswer({
    contentType: 'application/json',
    disposition: 'inline',
    size: emojiDocument.content.length,
    tag: emojiDocument.tag,
    open: async ({ start, end }) => Readable.from([emojiDocument.content.subarray(start, end + 1)]),
  })
