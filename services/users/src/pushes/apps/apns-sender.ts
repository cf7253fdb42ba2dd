import type { ClientHttp2Session, connect, IncomingHttpHeaders } from 'node:http2'
import type { ClientTls } from '@tms/service-kit'
import type { Push, PushSender, SendResult, SentTo } from '../../kernel/pushes/push.ts'
import { retryAfterOf } from '../../kernel/pushes/retry-after.ts'
import { clientKeyOf, writeSealedApnsPayload } from '../sealed/sealed-payload.rules.ts'
import { writeApnsPayload } from './app-payload.rules.ts'

/** For one attempt, to the last byte of the answer. */
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 16 * 1_024

/**
 * Reasons that the device alone has. `BadDeviceToken` and `DeviceTokenNotForTopic` come of wrong settings of the
 * installation too, which mustn't remove everybody's devices.
 */
const GONE = new Set(['Unregistered', 'ExpiredToken'])
/** What the identifier of an app consists of; it becomes a header. */
const APP_ID = /^[\w.-]+$/

class NoAnswerError extends Error {}

interface ApnsAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends to Apple apps over one connection of HTTP/2, which is opened again when it is lost. */
export function createApnsSender({
  url,
  tls,
  sign,
  topic,
  showsContent,
  now,
  timeoutMs = TIMEOUT_MS,
}: {
  /** Of the service. */
  readonly url: string
  readonly tls: ClientTls
  readonly sign: () => Promise<string>
  /** The app of devices that named none; null for none. */
  readonly topic: string | null
  readonly showsContent: boolean
  readonly now: () => Date
  readonly timeoutMs?: number
}): PushSender {
  let session: ClientHttp2Session | null = null
  const answeredAt = new WeakMap<ClientHttp2Session, number>()
  const hasAnswered = (used: ClientHttp2Session): boolean =>
    performance.now() - (answeredAt.get(used) ?? Number.NEGATIVE_INFINITY) < timeoutMs
  const open = (http2: { connect: typeof connect }): ClientHttp2Session => {
    if (session && !session.closed && !session.destroyed) return session
    const opened = http2.connect(url, tls.ca === undefined ? {} : { ca: tls.ca })
    // Its requests fail too, and are made again.
    opened.on('error', () => {})
    const leave = () => {
      if (session === opened) session = null
    }
    opened.on('close', leave)
    // Requests that it has are still answered; new ones need another connection.
    opened.on('goaway', leave)
    opened.unref()
    session = opened
    return opened
  }
  return {
    send: async (device, push) => {
      const appId = device.appId ?? topic
      if (appId !== null && !APP_ID.test(appId)) return { kind: 'refused', reason: 'the device names no app' }
      if (appId === null) return { kind: 'refused', reason: 'neither the device nor APNS_TOPIC names an app' }
      let used: ClientHttp2Session | null = null
      try {
        const headers = {
          ...{ ':method': 'POST', ':path': `/3/device/${toHex(device.token)}` },
          authorization: `bearer ${await sign()}`,
          'apns-topic': appId,
          'apns-push-type': device.pushKey !== null && push.notice.kind === 'remove' ? 'background' : 'alert',
          'apns-priority': push.notice.kind === 'remove' ? '5' : '10',
          'apns-expiration': String(Math.floor(now().getTime() / 1_000) + push.ttlSeconds),
          // One that is sent again replaces itself.
          ...(push.notice.kind === 'message' && {
            'apns-collapse-id': String(push.notice.message.message_id),
          }),
        }
        // Loaded by the first push: it takes 3 % of a start.
        used = open(await import('node:http2'))
        const answer = await request(used, headers, bodyOf(push, device, showsContent), timeoutMs)
        answeredAt.set(used, performance.now())
        return resultOf(answer, now())
      } catch (err) {
        const reason = err instanceof Error ? err.message : 'unknown'
        // A connection that hangs is of no use to others either; one that answers others goes on.
        if (used && err instanceof NoAnswerError && !hasAnswered(used)) used.destroy()
        return { kind: 'retry', reason, afterMs: null, scope: 'service' }
      }
    },
    close: () => session?.close(),
  }
}

function bodyOf(push: Push, device: SentTo, showsContent: boolean): string {
  const key = clientKeyOf(device)
  return JSON.stringify(
    key
      ? writeSealedApnsPayload(push, key, showsContent)
      : writeApnsPayload(push, showsContent && !push.realm.requiresEncryption),
  )
}

/** Apps register tokens as base64 or hexadecimal; the service takes the latter. */
export const toHex = (token: string): string =>
  /^(?:[0-9a-f]{2})+$/i.test(token) ? token : Buffer.from(token, 'base64').toString('hex')

function request(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: string,
  timeoutMs: number,
): Promise<ApnsAnswer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers)
    const chunks: Buffer[] = []
    let answered: IncomingHttpHeaders = {}
    let bytes = 0
    // To the last byte: an answer that never ends would take its slot for ever.
    const deadline = setTimeout(() => stream.destroy(new NoAnswerError('it did not answer')), timeoutMs)
    stream.on('response', (found) => {
      answered = found
    })
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk)
    })
    stream.once('error', reject)
    stream.once('close', () => {
      clearTimeout(deadline)
      reject(new Error('the connection was closed'))
    })
    stream.once('end', () => {
      const status = Number(answered[':status'] ?? 0)
      if (status > 0) resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() })
    })
    stream.end(body)
  })
}

function resultOf({ status, headers, body }: ApnsAnswer, now: Date): SendResult {
  if (status === 200) return { kind: 'sent' }
  const cause = reasonIn(body)
  const reason = `it answered ${status}${cause === null ? '' : ` ${cause}`}`
  if (status === 410 || (cause !== null && GONE.has(cause))) return { kind: 'gone', reason }
  const again = { kind: 'retry', reason, afterMs: retryAfterOf(headers, now) } as const
  if (status === 429) return { ...again, scope: 'device' }
  if (status >= 500 || cause === 'ExpiredProviderToken') return { ...again, scope: 'service' }
  return { kind: 'refused', reason }
}

function reasonIn(body: string): string | null {
  try {
    return (JSON.parse(body) as { reason?: string }).reason ?? null
  } catch {
    return null
  }
}
