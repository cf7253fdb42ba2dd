import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientTls } from '@tms/service-kit'
import type { SendMailOptions } from 'nodemailer'

/** Retrying can't help: the server says that the address doesn't exist. */
export class UndeliverableMailError extends Error {}

/**
 * Timeouts of connections to mail servers, in ms. `connectionTimeout` covers everything up to the greeting,
 * `socketTimeout` every silence after it. A lost host closes nothing, and the library's 2 and 10 minutes would block
 * all workers and every other job. Too small is worse: a server that filters a mail longer before accepting it gets
 * that mail again. MAIL_URL can override them: `?socketTimeout=120000`.
 */
export const smtpDeadlines = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 25_000 }

export interface MailTransport {
  /**
   * Sends a mail and returns the server's answer or the file. Rejects with `UndeliverableMailError`, or another error
   * if it must be retried.
   */
  send(mail: SendMailOptions): Promise<string>
  close(): void
}

/**
 * By the URL's scheme: `smtp:` and `smtps:` name a mail server, `file:` a folder with a file per mail. With
 * credentials, `smtp:` requires TLS unless the URL has `requireTLS=false`.
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
  // An attacker in between could strip STARTTLS from the server's offer. The URL's own parameter has precedence.
  const requireTLS = protocol === 'smtp:' && hasCredentials
  const lazily = openLazily((createTransport) => createTransport({ ...deadlines, url, tls, requireTLS }))
  return {
    send: async (mail) => {
      try {
        const { response } = await (await lazily.open()).sendMail(mail)
        return String(response)
      } catch (err) {
        if (isRefusedAddress(err)) throw new UndeliverableMailError('the address is refused', { cause: err })
        throw err
      }
    },
    close: lazily.close,
  }
}

/**
 * Refusals that aren't about the address: policies (5.7, RFC 3463), and servers that don't relay for this one and say so without
 * that code. An operator can mend them; until then every mail would be lost.
 */
const POLICY = /^5\d\d[ -](?:5\.7\.\d|.*\brelay)/i
/** The address that a reply repeats says nothing about the reason. */
const ADDRESS = /<?[^\s<>]+@[\w.-]+>?/g

/** Replies from 550 to RCPT TO are permanent (RFC 5321, 4.2.3); others, such as a wrong password, may be fixed. */
function isRefusedAddress(err: unknown): boolean {
  const { code, responseCode, command, response } = err as {
    code?: string
    responseCode?: number
    command?: string
    response?: string
  }
  const isRefusal = code === 'EENVELOPE' && (responseCode ?? 0) >= 550 && command === 'RCPT TO'
  return isRefusal && !POLICY.test((response ?? '').replace(ADDRESS, ''))
}

/** For development and tests: `*.eml`, which mail programs open. Files are written atomically. */
function folderTransport(folder: string): MailTransport {
  const lazily = openLazily((createTransport) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  )
  return {
    send: async (mail) => {
      const { message } = await (await lazily.open()).sendMail(mail)
      // Mails contain keys.
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

/** Loads the library and creates the transport with the first mail. */
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
