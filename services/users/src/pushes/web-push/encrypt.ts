import { createCipheriv, createECDH, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** Of the whole body, which push services must accept (RFC 8030, 7.2). */
const MAX_BODY_BYTES = 4_096
/** Salt, record size, and the length of the key and the key itself. */
const HEADER_BYTES = 16 + 4 + 1 + 65
/** Delimiter and authentication tag of the one record. */
const RECORD_OVERHEAD = 1 + 16
/** The longest text that fits. */
export const MAX_TEXT_BYTES = MAX_BODY_BYTES - HEADER_BYTES - RECORD_OVERHEAD

/** Keys of a subscription. */
export interface SubscriptionKeys {
  /** 65 bytes. */
  readonly p256dh: Buffer
  /** 16 bytes. */
  readonly auth: Buffer
}

/**
 * Encrypts a text for a subscription: RFC 8291, with the encoding `aes128gcm` of RFC 8188 in one record. `own` has the
 * sender's key and the salt, which are new for each message.
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: SubscriptionKeys,
  own: { readonly privateKey?: Buffer; readonly salt?: Buffer } = {},
): Buffer {
  const sender = createECDH('prime256v1')
  if (own.privateKey) sender.setPrivateKey(own.privateKey)
  else sender.generateKeys()
  const senderKey = sender.getPublicKey()
  const salt = own.salt ?? randomBytes(16)

  const shared = sender.computeSecret(p256dh)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey])
  // Key objects: with plain bytes, HKDF takes twice as long, the cipher four times.
  const secret = createSecretKey(Buffer.from(hkdfSync('sha256', createSecretKey(shared), auth, info, 32)))
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes))

  const cipher = createCipheriv('aes-128-gcm', createSecretKey(derive('aes128gcm', 16)), derive('nonce', 12))
  const record = [cipher.update(text), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  const header = Buffer.alloc(5)
  header.writeUInt32BE(MAX_BODY_BYTES)
  header[4] = senderKey.length
  return Buffer.concat([salt, header, senderKey, ...record])
}

/** A topic of RFC 8030: a push that hasn't been delivered is replaced by the next with the same. */
export function topicOf(subject: string): string {
  return createHmac('sha256', 'topic').update(subject).digest('base64url').slice(0, 32)
}
