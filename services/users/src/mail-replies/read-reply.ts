import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { createReplyAddresses } from '../kernel/mails/reply-addresses.ts'
import { UNSUBSCRIBE_LINK } from '../kernel/mails/unsubscribe-links.ts'
import { findSignOfProgram } from './automatic-mail.rules.ts'
import { htmlAsMarkdown } from './html-as-markdown.rules.ts'
import { extractReply } from './quoted-text.rules.ts'

/** A file of a mail. */
export interface MailAttachment {
  readonly name: string
  readonly contentType: string
  readonly content: Uint8Array
}

/** What of a mail to an address for replies is needed. */
export interface ReadReply {
  /** The same each time that the mail is delivered, and of no other one. */
  readonly id: string
  readonly subject: string
  /** What shows that a program wrote it; null if nothing does. */
  readonly signOfProgram: string | null
  /** What was written, without the quoted mail; Markdown. */
  readonly text: string
  /** The same with what was cut. */
  readonly uncut: string
  /** Pictures within the text are among them only if there is nothing else: most belong to signatures. */
  readonly attachments: readonly MailAttachment[]
}

/** A mail, and what its reader has to know. */
export interface MailToRead {
  readonly raw: Uint8Array
  readonly envelopeSender: string
  /** The address that our own mails come from. */
  readonly own: string
  /** An address for replies, with `%s` instead of the token. */
  readonly replyPattern: string
}

/** Nested parts of a mail; people's mails have a few. */
const MAX_NESTING = 50
const MAX_HEADER_BYTES = 256_000
/** What names and types of files, which become part of an address, are cut to. */
const MAX_NAME = 255
const MAX_CONTENT_TYPE = 100

/** Reads a mail; its charsets are decoded. Null if it isn't one that can be read. */
export async function readReply(
  raw: Uint8Array,
  { envelopeSender, own, replyPattern }: Omit<MailToRead, 'raw'>,
): Promise<ReadReply | null> {
  const mail = await parse(raw)
  if (mail === null) return null
  const { headers, subject = '', text = '', html = '', messageId = '', date = '' } = mail
  const from = mail.from?.address ?? ''
  const { form } = createReplyAddresses(replyPattern)
  const addresses = [own, form]
  // Readers of such an address could write in the user's name.
  const withoutAddresses = (each: string) => each.replace(new RegExp(form, 'gi'), '')
  const written = extractReply(storable(text), addresses)
  // Some programs leave the text empty beside HTML.
  const reply = written === '' ? extractReply(htmlAsMarkdown(storable(html)), addresses) : written
  const attachments = mail.attachments.filter((each) => !isOurs(bytesOf(each), form))
  const files = attachments.filter(({ related }) => related !== true)
  return {
    // Some programs repeat IDs, and not each has one.
    id: createHash('sha256')
      .update(JSON.stringify([messageId || [date, subject, html], text || html]))
      .digest('hex'),
    subject: storable(subject),
    signOfProgram: findSignOfProgram({ headers, subject, from, envelopeSender }, own),
    text: withoutAddresses(reply),
    uncut: withoutAddresses(storable(text || htmlAsMarkdown(html)).replace(/\r\n?/g, '\n')),
    attachments: (reply === '' && files.length === 0 ? attachments : files).map(toAttachment),
  }
}

type Attachment = Email['attachments'][number]

/**
 * Whether a file is a mail of ours, which some programs attach instead of quoting it: readers could answer it in the user's name, or
 * turn the user's mails off.
 */
function isOurs(content: Uint8Array, form: RegExp): boolean {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
  return form.test(text) || UNSUBSCRIBE_LINK.test(text)
}

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer)

const toAttachment = (attachment: Attachment, index: number): MailAttachment => ({
  name:
    storable(attachment.filename ?? '')
      .slice(0, MAX_NAME)
      .toWellFormed() || `attachment-${index + 1}`,
  contentType: attachment.mimeType.slice(0, MAX_CONTENT_TYPE),
  content: bytesOf(attachment),
})

/** Null if the library can't read it; anything else that fails is our own defect. */
async function parse(raw: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, {
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: MAX_NESTING,
      maxHeadersSize: MAX_HEADER_BYTES,
    })
  } catch {
    return null
  }
}

/** Text without what the database and messages don't take: control characters and halves of characters. */
const storable = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\r\n\t]/gu, '')
