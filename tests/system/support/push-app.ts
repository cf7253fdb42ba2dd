import { createHash, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'
import nacl from 'tweetnacl'
import type { AppPush } from './app-push-services.ts'

/** A pair of keys for registrations, in base64. */
export interface SealKeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

/** Makes one as an operator does. */
export function newSealKeys(): SealKeyPair {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const [privateKey = '', publicKey = ''] = [d, x].map((part) =>
    Buffer.from(part, 'base64url').toString('base64'),
  )
  return { privateKey, publicKey }
}

/** A stand-in for an app: it has a token of its service, and reads what only it can. */
export class PushApp {
  keyId = 0
  token = ''
  tokenId = ''
  readonly #kind: 'fcm' | 'apns'
  readonly #publicKey: string
  #key = Buffer.alloc(0)

  constructor(kind: 'fcm' | 'apns', publicKey: string) {
    this.#kind = kind
    this.#publicKey = publicKey
    this.replaceKey()
    this.replaceToken()
  }

  replaceKey(): void {
    this.keyId = randomInt(4_294_967_296)
    this.#key = randomBytes(32)
  }

  replaceToken(): void {
    this.token = randomBytes(32).toString('hex')
    this.tokenId = createHash('sha256').update(this.token).digest().subarray(0, 8).toString('base64')
  }

  keyPart() {
    const key = Buffer.concat([Buffer.from([0x31]), this.#key]).toString('base64')
    return { push_key_id: this.keyId, push_key: key }
  }

  /** With `changed` in what is sealed. */
  tokenPart(changed: Readonly<Record<string, unknown>> = {}) {
    const registration = {
      ...{ token: this.token, token_kind: this.#kind, timestamp: Math.floor(Date.now() / 1_000) },
      ...{ ios_app_id: this.#kind === 'apns' ? 'org.example.Sealed' : null, ...changed },
    }
    return {
      ...{ token_kind: this.#kind, token_id: this.tokenId, bouncer_public_key: this.#publicKey },
      encrypted_push_registration: this.#seal(JSON.stringify(registration)).toString('base64'),
    }
  }

  /** What a notification says to this app. Throws if it isn't encrypted with its key. */
  decrypt(push: Pick<AppPush, 'body'> | undefined): Record<string, unknown> {
    const body = push?.body ?? {}
    const { push_key_id, encrypted_data } = (body['data'] ?? body) as Record<string, unknown>
    if (Number(push_key_id) !== this.keyId) throw new Error('it is encrypted with another key')
    const bytes = Buffer.from(String(encrypted_data), 'base64')
    const text = nacl.secretbox.open(bytes.subarray(24), bytes.subarray(0, 24), this.#key)
    if (text === null) throw new Error('it cannot be decrypted')
    return JSON.parse(Buffer.from(text).toString())
  }

  /** A sealed box of libsodium. */
  #seal(text: string): Buffer {
    const [once, receiver] = [nacl.box.keyPair(), Buffer.from(this.#publicKey, 'base64')]
    const nonce = blake2b(Buffer.concat([once.publicKey, receiver]), { dkLen: 24 })
    const box = nacl.box(Buffer.from(text), nonce, receiver, once.secretKey)
    return Buffer.concat([once.publicKey, box])
  }
}
