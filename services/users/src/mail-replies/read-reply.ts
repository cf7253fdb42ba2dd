import { createHash } from 'node:crypto'
import { isAutomatic } from './automatic-mail.rules.ts'
import { htmlAsMarkdown } from './html-as-markdown.rules.ts'
import { extractReply } from './quoted-text.rules.ts'

/** A file of a mail. */
export interface MailAttachment {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer
}

/** What of a mail to an address for replies is needed. */
export interface ReadReply {
  /** The same each time that the mail is delivered. */
  readonly id: string
  readonly subject: string
  readonly isAutomatic: boolean
  /** What was written, without the quoted mail; Markdown. */
  readonly text: string
  /** Pictures within the text aren't among them: most belong to signatures. */
  readonly attachments: readonly MailAttachment[]
}

/** Nested parts of a mail; people's mails have a few. */
const MAX_NESTING = 50
const MAX_HEADER_BYTES = 256_000

/** Reads a mail; its charsets are decoded. Throws if it isn't one that can be read. */
export async function readReply(
  raw: Buffer,
  { envelopeSender, own }: { readonly envelopeSender: string; readonly own: string },
): Promise<ReadReply> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw, {
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
  })
  const { headers, subject = '', text = '', html = '', messageId = '', date = '' } = mail
  const from = mail.from?.address ?? ''
  const written = extractReply(text, [own])
  return {
    id:
      messageId ||
      createHash('sha256')
        .update(JSON.stringify([date, subject, text, html]))
        .digest('hex'),
    subject,
    isAutomatic: isAutomatic({ headers, subject, from, envelopeSender }, own),
    // Some programs leave the text empty beside HTML.
    text: written === '' ? extractReply(htmlAsMarkdown(html), [own]) : written,
    attachments: mail.attachments
      .filter(({ related }) => related !== true)
      .map(({ filename, mimeType, content }, index) => ({
        name: filename || `attachment-${index + 1}`,
        contentType: mimeType,
        content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
      })),
  }
}
