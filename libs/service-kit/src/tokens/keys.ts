import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

/** Curve of the keys for ES256. */
const CURVE = 'prime256v1'

/** The public keys in a text, one after another. Throws if one can't be read. */
export function readPublicKeys(text: string): KeyObject[] {
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []
  return blocks.map((block) => createPublicKey(block))
}

/** PEM text; `\n` may be written for line breaks, as environment files often need. */
const pem = z.string().transform((value) => value.replaceAll('\\n', '\n'))

/** A private key that signs tokens. */
export const privateKey = pem.refine(
  isPrivateKey,
  'is not a private key of the curve P-256 (PEM, "-----BEGIN PRIVATE KEY-----")',
)

/** Public keys that verify tokens: usually one, and two while the private key is being replaced. */
export const publicKeys = pem.refine(
  arePublicKeys,
  'is not a public key of the curve P-256, nor several after one another (PEM, "-----BEGIN PUBLIC KEY-----")',
)

/** Whether a text is one or several public keys that verify tokens, and nothing else: a private key is refused. */
function arePublicKeys(text: string): boolean {
  try {
    const keys = readPublicKeys(text)
    return keys.length > 0 && !text.includes('PRIVATE KEY') && keys.every(isOfCurve)
  } catch {
    return false
  }
}

/** Whether a text is a private key that signs tokens. */
function isPrivateKey(text: string): boolean {
  try {
    return isOfCurve(createPrivateKey(text))
  } catch {
    return false
  }
}

function isOfCurve({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === CURVE
}
