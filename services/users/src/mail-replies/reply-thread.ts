import { parentPort } from 'node:worker_threads'
import { type ReadReply, readReply } from './read-reply.ts'

/** A mail, and what its reader has to know. */
export interface MailToRead {
  readonly raw: Uint8Array
  readonly envelopeSender: string
  /** The address that our own mails come from. */
  readonly own: string
}

/** What was read; null if it isn't a mail. */
export type ReadMail = ReadReply | null

/** Entry point of the thread that reads a mail. A defect of ours ends it with the error. */
const port = parentPort
port?.once('message', async (mail: MailToRead) => {
  port.postMessage((await readReply(mail.raw, mail)) satisfies ReadMail)
})
