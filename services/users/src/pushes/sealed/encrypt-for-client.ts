import { randomBytes } from 'node:crypto'
import nacl from 'tweetnacl'

/** The base64 of a nonce and a secretbox of NaCl (XSalsa20-Poly1305) with the text; the key is base64 too. */
export function encryptForClient(text: string, key: string): string {
  const nonce = randomBytes(nacl.secretbox.nonceLength)
  const box = nacl.secretbox(Buffer.from(text), nonce, Buffer.from(key, 'base64'))
  return Buffer.concat([nonce, box]).toString('base64')
}
