import type { AddressInfo } from 'node:net'
import { callbackify } from 'node:util'
import { createConcurrencyLimit, type Logger, type ServerTls } from '@tms/service-kit'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { ReceivedMail, ReplyOutcome } from './receive-reply.ts'
import { TooManyRepliesError } from './receive-reply.ts'

/** Bytes of one mail: a file of 25 MiB as mails write it. */
const MAX_MAIL_BYTES = 36 * 1024 * 1024
/** Bytes of mails that are received at once; others have to come again. */
const MAX_BYTES_AT_ONCE = 96 * 1024 * 1024
const MAX_CONNECTIONS = 50
const IDLE_MS = 60_000
/** How long a mail may take to arrive. What trickles in takes memory from others. */
const DATA_MS = 300_000
/** How long a mail that is being received may still take when the service stops. */
const CLOSE_MS = 10_000

/** Reading takes memory and a core; posting waits for messaging. */
const READ_LIMIT = { maxAtOnce: 2, maxWaiting: 20, refusal: 'Too many mails at once' }

export interface MailListener {
  readonly port: number
  /** Stops accepting, and waits for mails that are being received. */
  close(): Promise<void>
}

interface ListenerOptions {
  readonly host: string
  readonly port: number
  /** The name by which it greets. */
  readonly name: string
  /** With it, STARTTLS is offered. */
  readonly tls: ServerTls | null
  readonly log: Logger
  readonly tokenIn: (address: string) => string | null
  /** Whether the token is valid. */
  readonly isKnown: (token: string) => Promise<boolean>
  readonly receive: (mail: ReceivedMail) => Promise<ReplyOutcome>
  readonly count: (outcome: string) => void
  /** How long a mail may take to arrive. */
  readonly dataMs?: number
}

/** A refusal with the code that a mail server understands: 4xx has it try again, 5xx has it give up. */
function smtpError(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

const NOT_NOW = () => smtpError(451, '4.3.0 Not now; try again later')

/**
 * Listens for mails to addresses for replies, by SMTP. A mail is accepted once it is posted, so the mail server before it
 * keeps what can't be posted at the moment. A transaction has one recipient; mail servers send further ones separately.
 */
export async function openMailListener(options: ListenerOptions): Promise<MailListener> {
  const { host, port, name, tls, log, tokenIn, isKnown, receive, count, dataMs = DATA_MS } = options
  const limitReads = createConcurrencyLimit(READ_LIMIT)
  let bytesAtOnce = 0

  /** Ends a connection whose sender would have to be read on without end. */
  const hangUp = (session: SMTPServerSession, reason: string): void => {
    log.warn({ reason }, 'connection of a mail server ended')
    for (const connection of server.connections)
      if (connection.session === session) connection.send(421, `4.7.0 ${reason}`)
  }

  const accept = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> => {
    const { mailFrom, rcptTo } = session.envelope
    const token = tokenIn(rcptTo[0]?.address ?? '')
    const chunks: Buffer[] = []
    let bytes = 0
    let held = 0
    let isCrowded = false
    const drop = () => {
      chunks.length = 0
      bytesAtOnce -= held
      held = 0
    }
    const deadline = setTimeout(() => {
      drop()
      hangUp(session, 'The mail takes too long')
    }, dataMs)
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length
        isCrowded ||= bytesAtOnce + chunk.length > MAX_BYTES_AT_ONCE
        if (bytes > 2 * MAX_MAIL_BYTES) hangUp(session, 'The mail is too large')
        // The rest is read, since mail servers look for an answer only after it.
        if (isCrowded || bytes > MAX_MAIL_BYTES) drop()
        else {
          chunks.push(chunk)
          held += chunk.length
          bytesAtOnce += chunk.length
        }
      }
      clearTimeout(deadline)
      if (stream.sizeExceeded || bytes > MAX_MAIL_BYTES) {
        count('too_large')
        throw smtpError(552, '5.3.4 The mail is too large; attach less')
      }
      if (isCrowded || token === null) throw NOT_NOW()
      const raw = Buffer.concat(chunks)
      chunks.length = 0
      const envelopeSender = mailFrom === false ? '' : mailFrom.address
      const outcome = await limitReads(() => receive({ token, envelopeSender, raw }))
      count(outcome)
      log.info({ outcome, bytes }, 'mail to an address for replies')
      if (outcome === 'unknown') throw unknownAddress()
      if (outcome === 'unreadable') throw smtpError(554, '5.6.0 The mail cannot be read')
      return '2.0.0 Thanks'
    } finally {
      clearTimeout(deadline)
      drop()
    }
  }

  const check = async (address: string, { envelope }: SMTPServerSession): Promise<void> => {
    if (envelope.rcptTo.length > 0) throw smtpError(452, '4.5.3 One recipient at a time')
    const token = tokenIn(address)
    if (token === null) throw unknownAddress()
    const known = await isKnown(token).catch((err: unknown) => {
      log.warn({ err }, 'addresses for replies cannot be read')
      count('deferred')
      throw NOT_NOW()
    })
    if (known) return
    count('unknown')
    throw unknownAddress()
  }
  const onRecipient = callbackify(check)
  const onData = callbackify((stream: SMTPServerDataStream, session: SMTPServerSession) =>
    accept(stream, session).catch((err: unknown) => {
      if (err instanceof Error && 'responseCode' in err) throw err
      count('deferred')
      if (err instanceof TooManyRepliesError) throw smtpError(451, '4.7.1 Too many replies; try again later')
      log.warn({ err }, 'a reply by mail is deferred')
      throw NOT_NOW()
    }),
  )

  const server = new SMTPServer({
    name,
    banner: 'replies',
    size: MAX_MAIL_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    disableReverseLookup: true,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(tls && { cert: tls.cert, key: tls.key }),
    logger: false,
    onRcptTo: ({ address }, session, done) => onRecipient(address, session, done),
    onData: (stream, session, done) => onData(stream, session, done),
  })
  // Of connections: their peers learn of it by the protocol, or are gone.
  server.on('error', (err) => log.info({ err }, 'connection of a mail server failed'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const unknownAddress = () =>
  smtpError(
    550,
    '5.1.1 This address takes no replies, or no longer: it is valid for 30 days. Answer in the app',
  )
