import { parentPort } from 'node:worker_threads'
import { type MailToRead, type ReadReply, readReply } from './read-reply.ts'

/** What was read; null if it isn't a mail. */
export type ReadMail = ReadReply | null

/** Entry point of the thread that reads a mail. A defect of ours ends it with the error. */
const port = parentPort
port?.once('message', async (mail: MailToRead) => {
  port.postMessage((await readReply(mail.raw, mail)) satisfies ReadMail)
})
