import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const PURPOSE = 'links to calls'
const FORM = /^([\w-]{1,4000})\.([\w-]{43})$/

/** A call that users can join. */
const call = z.strictObject({
  realmId: z.int(),
  /** The call server's ID of it. */
  meetingId: z.string(),
  name: z.string(),
  isVoiceOnly: z.boolean(),
})
export type Call = z.output<typeof call>

/** Signed texts in links that identify a call of this installation. */
export interface CallLinks {
  sign(call: Call): string
  /** Null for a text that `sign` hasn't made. */
  read(text: string): Call | null
}

/** All replicas with the same secret accept each other's links. Messages contain them, so they don't expire. */
export function createCallLinks(secret: string): CallLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32))
  const signatureOf = (content: string) => createHmac('sha256', key).update(content).digest('base64url')
  return {
    sign: (made) => {
      const content = Buffer.from(JSON.stringify(made)).toString('base64url')
      return `${content}.${signatureOf(content)}`
    },
    read: (text) => {
      const [, content = '', signature = ''] = FORM.exec(text) ?? []
      const expected = Buffer.from(signatureOf(content))
      if (!timingSafeEqual(expected, Buffer.from(signature.padEnd(expected.length, '-')))) return null
      return call.parse(JSON.parse(Buffer.from(content, 'base64url').toString()))
    },
  }
}
