import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport, type SendMailOptions } from 'nodemailer'

/** Where mails go. */
export interface MailTransport {
  /** Hands a mail over, and says where to. Rejects if it must be tried again. */
  send(mail: SendMailOptions): Promise<string>
  close(): void
}

/** By the URL's scheme: `smtp:` and `smtps:` are a mail server, `file:` is a folder in which each mail is a file. */
export function openMailTransport(mailUrl: string): MailTransport {
  const url = new URL(mailUrl)
  return url.protocol === 'file:' ? folderTransport(fileURLToPath(url)) : smtpTransport(mailUrl)
}

function smtpTransport(url: string): MailTransport {
  const transport = createTransport(url, {})
  return {
    send: async (mail) => {
      const { response } = await transport.sendMail(mail)
      return String(response)
    },
    close: () => transport.close(),
  }
}

/** For development and tests: `*.eml`, which mail programs open. A file is there whole or not at all. */
function folderTransport(folder: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(mail)
      await mkdir(folder, { recursive: true })
      const path = join(
        folder,
        `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`,
      )
      await writeFile(`${path}.part`, message as Buffer)
      await rename(`${path}.part`, path)
      return path
    },
    close: () => transport.close(),
  }
}
