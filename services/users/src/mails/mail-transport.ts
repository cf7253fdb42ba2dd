import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientTls } from '@tms/service-kit'
import type { SendMailOptions } from 'nodemailer'

/** A mail that no further attempt can deliver: the server says that there is no such address. */
export class UndeliverableMail extends Error {}

/**
 * When a connection to a mail server is given up, in milliseconds. `connectionTimeout` is for all until the server has said who it
 * is, `socketTimeout` for every silence after that. A host that is lost closes nothing; the library's own 2 and 10 minutes would
 * hold all workers, with every other job. Too small is worse: a server that filters a mail for longer before it says that it has
 * taken it gets that mail again. Whose server does may say so in MAIL_URL: `?socketTimeout=120000`.
 */
export const smtpDeadlines = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 25_000 }

/** Where mails go. */
export interface MailTransport {
  /** Hands a mail over, and says where to. Rejects with `UndeliverableMail`, or else if it must be tried again. */
  send(mail: SendMailOptions): Promise<string>
  close(): void
}

/**
 * By the URL's scheme: `smtp:` and `smtps:` are a mail server, `file:` is a folder in which each mail is a file. With
 * credentials `smtp:` goes over TLS or not at all, unless the URL has `requireTLS=false`.
 */
export function openMailTransport(
  mailUrl: string,
  tls: ClientTls = {},
  deadlines: typeof smtpDeadlines = smtpDeadlines,
): MailTransport {
  const url = new URL(mailUrl)
  return url.protocol === 'file:'
    ? folderTransport(fileURLToPath(url))
    : smtpTransport(mailUrl, tls, deadlines)
}

function smtpTransport(url: string, tls: ClientTls, deadlines: typeof smtpDeadlines): MailTransport {
  const { protocol, username, password } = new URL(url)
  const hasCredentials = username !== '' || password !== ''
  // Whoever is in between can take STARTTLS out of what the server offers. What the URL says of it goes before this.
  const requireTLS = protocol === 'smtp:' && hasCredentials
  const lazily = openLazily((createTransport) => createTransport({ ...deadlines, url, tls, requireTLS }))
  return {
    send: async (mail) => {
      try {
        const { response } = await (await lazily.open()).sendMail(mail)
        return String(response)
      } catch (err) {
        if (isRefusedAddress(err)) throw new UndeliverableMail('the address is refused', { cause: err })
        throw err
      }
    },
    close: lazily.close,
  }
}

/** Replies from 550 on to a recipient are for good (RFC 5321, 4.2.3); others, such as a wrong password, get mended. */
function isRefusedAddress(err: unknown): boolean {
  const { code, responseCode, command } = err as { code?: string; responseCode?: number; command?: string }
  return code === 'EENVELOPE' && (responseCode ?? 0) >= 550 && command === 'RCPT TO'
}

/** For development and tests: `*.eml`, which mail programs open. A file is there whole or not at all. */
function folderTransport(folder: string): MailTransport {
  const lazily = openLazily((createTransport) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  )
  return {
    send: async (mail) => {
      const { message } = await (await lazily.open()).sendMail(mail)
      // Mails have keys in them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(
        folder,
        `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`,
      )
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
      return path
    },
    close: lazily.close,
  }
}

/** The library is loaded, and the transport made, with the first mail. */
function openLazily<T extends { close(): void }>(
  create: (createTransport: typeof import('nodemailer')['createTransport']) => T,
): { open(): Promise<T>; close(): void } {
  let transport: T | null = null
  return {
    open: async () => {
      const { createTransport } = await import('nodemailer')
      transport ??= create(createTransport)
      return transport
    },
    close: () => transport?.close(),
  }
}
