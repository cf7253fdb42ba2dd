import { blake2b } from '@noble/hashes/blake2.js'
import nacl from 'tweetnacl'

/** The pair of keys that clients seal registrations of their tokens for. */
export interface SealKeys {
  readonly publicKey: Buffer
  readonly privateKey: Buffer
}

const NONCE_BYTES = nacl.box.nonceLength
const KEY_BYTES = nacl.box.publicKeyLength

/** The pairs that belong to private keys in base64, separated by commas. Throws if one is none. */
export const readSealKeys = (text: string): SealKeys[] => text.split(',').map(readPair)

function readPair(text: string): SealKeys {
  const privateKey = Buffer.from(text, 'base64')
  if (privateKey.length !== KEY_BYTES) throw new Error('PUSH_REGISTRATION_KEY is not a private key')
  return { publicKey: Buffer.from(nacl.box.keyPair.fromSecretKey(privateKey).publicKey), privateKey }
}

/** Opens a sealed box of libsodium; null if it isn't one for these keys. */
export function openSealedBox(sealed: Buffer, { publicKey, privateKey }: SealKeys): Buffer | null {
  if (sealed.length < KEY_BYTES + nacl.box.overheadLength) return null
  const sender = sealed.subarray(0, KEY_BYTES)
  const nonce = blake2b(Buffer.concat([sender, publicKey]), { dkLen: NONCE_BYTES })
  const opened = nacl.box.open(sealed.subarray(KEY_BYTES), nonce, sender, privateKey)
  return opened && Buffer.from(opened)
}
