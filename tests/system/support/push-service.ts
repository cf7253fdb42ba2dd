import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'
import { until } from './until.ts'

/** What a subscriber got, with what the push service was asked. */
export interface ReceivedPush {
  readonly payload: Record<string, unknown>
  readonly headers: IncomingHttpHeaders
  readonly bytes: number
  /** Of everything that arrived at the service. */
  readonly number: number
}

/** How the service answers. */
interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A subscription, as a browser has one. */
export interface PushSubscriber {
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  /** What arrived, decrypted, in order. */
  readonly received: readonly ReceivedPush[]
  /** How often the service was asked, also if it answered otherwise than with 201. */
  readonly attempts: number
  /** Waits for as many pushes. */
  waitFor(count: number): Promise<readonly ReceivedPush[]>
  /** Answers the next requests in this way; with 201 again after them. */
  answerNext(...answers: Answer[]): void
}

/**
 * A push service that checks what browsers' services check: the encoding, the headers, the size, and that the
 * signature is of the installation and for this service.
 */
export interface PushServiceStandIn {
  readonly url: string
  subscribe(): PushSubscriber
  /** What was wrong with requests. */
  readonly faults: readonly string[]
  /** Leaves requests without an answer from now on. */
  hang(): void
  /** Requests that wait for their answer. */
  readonly waiting: number
  /** Answers what comes from now on; what waits goes on waiting. */
  letOthersPass(): void
  /** Answers again, also those that wait. */
  resume(): void
  close(): void
}

/** Starts one that accepts signatures of this key alone. */
export async function startPushService(publicKey: string): Promise<PushServiceStandIn> {
  const subscribers = new Map<string, { take(body: Buffer, headers: IncomingHttpHeaders): Answer }>()
  const faults: string[] = []
  let isHanging = false
  let count = 0
  let waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (isHanging) await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      const subscriber = subscribers.get(request.url ?? '')
      if (request.method !== 'POST' || !subscriber) return response.writeHead(404).end()
      await check(request.headers, publicKey, url)
      const { status, headers, body } = subscriber.take(Buffer.concat(chunks), request.headers)
      return response.writeHead(status, headers).end(body)
    } catch (err) {
      faults.push(String(err))
      return response.writeHead(400).end()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    faults,
    subscribe: () => {
      const { path, ...subscriber } = newSubscriber(url, () => ++count)
      subscribers.set(path, subscriber)
      return subscriber
    },
    hang: () => {
      isHanging = true
    },
    get waiting() {
      return waiting.length
    },
    letOthersPass: () => {
      isHanging = false
    },
    resume: () => {
      isHanging = false
      for (const go of waiting) go()
      waiting = []
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function newSubscriber(url: string, nextNumber: () => number) {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys()
  const auth = randomBytes(16)
  const path = `/push/${randomBytes(8).toString('hex')}`
  const received: ReceivedPush[] = []
  const answers: Answer[] = []
  const subscriber = {
    path,
    attempts: 0,
    subscription: {
      endpoint: `${url}${path}`,
      p256dh: p256dh.toString('base64url'),
      auth: auth.toString('base64url'),
    },
    received,
    take(body: Buffer, headers: IncomingHttpHeaders): Answer {
      this.attempts++
      const payload = JSON.parse(decrypt(body, pair.getPrivateKey(), p256dh, auth))
      const answer = answers.shift() ?? { status: 201 }
      if (answer.status === 201) received.push({ payload, headers, bytes: body.length, number: nextNumber() })
      return answer
    },
    waitFor: async (count: number) => {
      await until(async () => received.length >= count)
      return received
    },
    answerNext: (...next: Answer[]) => {
      answers.push(...next)
    },
  }
  return subscriber
}

async function check(headers: IncomingHttpHeaders, publicKey: string, origin: string): Promise<void> {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('wrong encoding')
  if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('no TTL')
  if (!['very-low', 'low', 'normal', 'high'].includes(String(headers['urgency'])))
    throw new Error('wrong urgency')
  if (!/^[\w-]{1,32}$/.test(String(headers['topic'] ?? 'none'))) throw new Error('wrong topic')
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  if (key !== publicKey) throw new Error('another key')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: origin })
  if (!/^(mailto:|https:)/.test(payload.sub ?? '')) throw new Error('no contact')
  if ((payload.exp ?? 0) > Date.now() / 1_000 + 86_400) throw new Error('valid for too long')
}

/** Decrypts what RFC 8291 describes, as the receiver does. */
function decrypt(body: Buffer, privateKey: Buffer, p256dh: Buffer, auth: Buffer): string {
  if (body.length > 4_096) throw new Error('larger than 4 KiB')
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const receiver = createECDH('prime256v1')
  receiver.setPrivateKey(privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey])
  const secret = Buffer.from(hkdfSync('sha256', receiver.computeSecret(senderKey), auth, info, 32))
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const clear = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = clear.lastIndexOf(2)
  if (end < 0) throw new Error('no delimiter')
  return clear.subarray(0, end).toString()
}

/** A pair of keys, as an operator makes it. */
export function newWebPushKeys(): {
  readonly WEB_PUSH_PUBLIC_KEY: string
  readonly WEB_PUSH_PRIVATE_KEY: string
} {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  return {
    WEB_PUSH_PUBLIC_KEY: publicKey,
    WEB_PUSH_PRIVATE_KEY: pair.getPrivateKey('base64url').padStart(43, 'A'),
  }
}
