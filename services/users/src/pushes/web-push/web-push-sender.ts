import { OutwardCallError, type PostOutward } from '@tms/service-kit'
import type { Notice, PushSender, SendResult, SentTo } from '../../kernel/pushes/push.ts'
import { retryAfterOf } from '../../kernel/pushes/retry-after.ts'
import { encryptPush, topicOf } from './encrypt.ts'
import type { SignVapid } from './vapid.ts'
import { writeWebPush } from './web-push-payload.rules.ts'

/** Sends to browsers and UnifiedPush distributors. */
export function createWebPushSender({
  post,
  isOfBrowser,
  sign,
  showsContent,
  now,
}: {
  readonly post: PostOutward
  /** Whether a host is a push service of browsers, rather than one that a user chose. */
  readonly isOfBrowser: (host: string) => boolean
  readonly sign: SignVapid
  readonly showsContent: boolean
  readonly now: () => Date
}): PushSender {
  const named = (url: string, result: SendResult): SendResult =>
    result.kind === 'refused' && !isOfBrowser(new URL(url).hostname) ? { ...result, isOfUser: true } : result
  return {
    send: async (device, push) => {
      const { token: url, p256dh, authSecret } = device
      if (p256dh === null || authSecret === null) return { kind: 'gone', reason: 'it has no keys' }
      const body = encryptPush(writeWebPush(push, showsContent), {
        p256dh: Buffer.from(p256dh, 'base64url'),
        auth: Buffer.from(authSecret, 'base64url'),
      })
      try {
        const headers = {
          authorization: await sign(url, now()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(push.ttlSeconds),
          urgency: push.notice.kind === 'remove' ? 'normal' : 'high',
          ...topicHeader(device, push.notice),
        }
        return named(url, resultOf(await post({ url, body, headers }), now()))
      } catch (err) {
        return named(url, toResult(err, now()))
      }
    },
    close: () => {},
  }
}

function resultOf(
  { status, headers }: Pick<Awaited<ReturnType<PostOutward>>, 'status' | 'headers'>,
  now: Date,
): SendResult {
  const reason = `it answered ${status}`
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone', reason }
  const isTransient = status === 408 || status === 429 || status >= 500
  if (!isTransient) return { kind: 'refused', reason }
  // Too many pushes are those to one subscription; everything else concerns the service.
  const scope = status === 429 ? 'device' : 'service'
  return { kind: 'retry', reason, afterMs: retryAfterOf(headers, now), scope }
}

function toResult(err: unknown, now: Date): SendResult {
  if (!(err instanceof OutwardCallError))
    return { kind: 'refused', reason: err instanceof Error ? err.message : 'unknown' }
  const reason = err.code === undefined ? err.fault : `${err.fault} (${err.code})`
  if (err.fault === 'private_address') return { kind: 'refused', reason }
  // A page of what stands before the service, as its status says.
  if (err.answered) return resultOf(err.answered, now)
  return { kind: 'retry', reason, afterMs: null, scope: 'service' }
}

/** What is undelivered is replaced by the next of the same conversation. A removal replaces none: each takes away its own. */
function topicHeader({ authSecret }: SentTo, notice: Notice): Readonly<Record<string, string>> {
  if (notice.kind === 'remove') return {}
  if (notice.kind !== 'message') return { topic: topicOf(`${authSecret} ${notice.kind}`) }
  const { channel, members } = notice.message
  const conversation = channel
    ? `${channel.channel_id} ${channel.topic.toLowerCase()}`
    : members.map(({ user_id }) => user_id).join(',')
  return { topic: topicOf(`${authSecret} ${conversation}`) }
}
