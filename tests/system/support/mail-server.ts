import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { until } from './until.ts'

/** A mail server that accepts everything, and its mails in the order of arrival. */
export interface MailServer {
  readonly url: string
  /** The mails to an address so far. */
  mailsTo(address: string): Email[]
  /** Waits for as many mails to an address. */
  waitForMails(address: string, count?: number): Promise<Email[]>
  /** Refuses connections until it is started again. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a mail server at a port. */
export async function startMailServer(port: number): Promise<MailServer> {
  const received: Email[] = []
  let server: SMTPServer | null = null
  const mailsTo = (address: string) => received.filter(({ to }) => to?.some((one) => one.address === address))
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mailsTo,
    waitForMails: async (address, count = 1) => {
      await until(async () => mailsTo(address).length >= count)
      return mailsTo(address)
    },
    stop: () =>
      new Promise((resolve) => {
        if (server) server.close(() => resolve())
        else resolve()
        server = null
      }),
    start: () =>
      new Promise((resolve) => {
        server = new SMTPServer({
          disabledCommands: ['STARTTLS', 'AUTH'],
          onData: (stream, _session, done) => {
            const chunks: Buffer[] = []
            stream.on('data', (chunk: Buffer) => chunks.push(chunk))
            stream.on('end', () => {
              void PostalMime.parse(Buffer.concat(chunks)).then((mail) => received.push(mail))
              done()
            })
          },
        })
        server.on('error', () => {})
        server.listen(port, '127.0.0.1', () => resolve())
      }),
  }
  await mailServer.start()
  return mailServer
}
