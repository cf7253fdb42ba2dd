import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** An answer of a mail server. */
export interface SmtpAnswer {
  readonly code: number
  readonly text: string
}

/** A mail with its envelope. */
export interface SentMail {
  /** Empty for a bounce. */
  readonly from: string
  readonly to: string | readonly string[]
  /** Headers, an empty line and the body. */
  readonly content: string | Buffer
}

/** Delivers a mail as a mail server does. Returns the first refusal, or the answer to the mail. */
export async function deliverMail(port: number, { from, to, content }: SentMail): Promise<SmtpAnswer> {
  const socket = connect(port, '127.0.0.1')
  const answers = readAnswers(socket)
  const say = async (line: string | Buffer): Promise<SmtpAnswer> => {
    socket.write(line)
    return answers()
  }
  try {
    await answers()
    const recipients = [to].flat().map((address) => `RCPT TO:<${address}>\r\n`)
    for (const line of ['EHLO mx.example.com\r\n', `MAIL FROM:<${from}>\r\n`, ...recipients, 'DATA\r\n']) {
      const answer = await say(line)
      if (answer.code >= 400) return answer
    }
    const body = Buffer.from(content).toString('latin1').replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')
    return await say(Buffer.from(`${body}\r\n.\r\n`, 'latin1'))
  } finally {
    socket.destroy()
  }
}

function readAnswers(socket: Socket): () => Promise<SmtpAnswer> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const failed = once(socket, 'close').then(() => {
    throw new Error('the mail server has closed the connection')
  })
  failed.catch(() => {})
  return async () => {
    for (;;) {
      const { value, done } = await Promise.race([lines.next(), failed])
      if (done === true) throw new Error('the mail server has closed the connection')
      const [, code = '', more, text = ''] = /^(\d{3})([ -])(.*)$/.exec(String(value)) ?? []
      if (more === ' ') return { code: Number(code), text }
    }
  }
}
