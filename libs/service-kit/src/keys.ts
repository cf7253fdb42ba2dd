import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** Curve of the keys for ES256. */
const CURVE = 'prime256v1'

/** The public keys in a text, one after another. Throws if one can't be read. */
export function readPublicKeys(text: string): KeyObject[] {
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []
  return blocks.map((block) => createPublicKey(block))
}

/** Whether a text is one or several public keys that verify tokens, and nothing else: a private key is refused. */
export function arePublicKeys(text: string): boolean {
  try {
    const keys = readPublicKeys(text)
    return keys.length > 0 && !text.includes('PRIVATE KEY') && keys.every(isOfCurve)
  } catch {
    return false
  }
}

/** Whether a text is a private key that signs tokens. */
export function isPrivateKey(text: string): boolean {
  try {
    return isOfCurve(createPrivateKey(text))
  } catch {
    return false
  }
}

function isOfCurve({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === CURVE
}
