import type { OutwardAnswer, PostOutward } from '@tms/service-kit'
import type { Push, PushSender, SendResult, SentTo } from '../../kernel/pushes/push.ts'
import { retryAfterOf } from '../../kernel/pushes/retry-after.ts'
import { clientKeyOf, writeSealedFcmData } from '../sealed/sealed-payload.rules.ts'
import { writeFcmData } from './app-payload.rules.ts'
import type { GoogleToken } from './google-token.ts'

/** Sends to Android apps by Firebase Cloud Messaging (HTTP v1). */
export function createFcmSender({
  url,
  projectId,
  post,
  token,
  showsContent,
  now,
}: {
  /** Of the service. */
  readonly url: string
  readonly projectId: string
  readonly post: PostOutward
  readonly token: GoogleToken
  readonly showsContent: boolean
  readonly now: () => Date
}): PushSender {
  return {
    send: async (device, push) => {
      try {
        const answer = await post({
          url: new URL(`/v1/projects/${encodeURIComponent(projectId)}/messages:send`, url).href,
          headers: { authorization: `Bearer ${await token.get()}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            message: { token: device.token, ...messageOf(push, device, showsContent) },
          }),
        })
        // It was withdrawn, or the clock is wrong: another one may do.
        if (answer.status === 401) token.forget()
        return resultOf(answer, now())
      } catch (err) {
        const reason = err instanceof Error ? err.message : 'unknown'
        return { kind: 'retry', reason, afterMs: null, scope: 'service' }
      }
    },
    close: () => {},
  }
}

function messageOf(push: Push, device: SentTo, showsContent: boolean) {
  const key = clientKeyOf(device)
  return {
    data: key
      ? writeSealedFcmData(push, key, showsContent)
      : writeFcmData(push, showsContent && !push.realm.requiresEncryption),
    android: { priority: push.notice.kind === 'remove' ? 'NORMAL' : 'HIGH', ttl: `${push.ttlSeconds}s` },
  }
}

function resultOf({ status, headers, body }: OutwardAnswer, now: Date): SendResult {
  if (status === 200) return { kind: 'sent' }
  const code = errorCodeOf(body)
  const reason = `it answered ${status}${code === null ? '' : ` ${code}`}`
  // Not SENDER_ID_MISMATCH: with wrong credentials of the installation everybody's devices have it.
  const isNone = code === 'INVALID_ARGUMENT' && body.includes('message.token')
  if (code === 'UNREGISTERED' || isNone) return { kind: 'gone', reason }
  if (status === 401 || status === 429 || status >= 500)
    return { kind: 'retry', reason, afterMs: retryAfterOf(headers, now), scope: 'service' }
  return { kind: 'refused', reason }
}

/** The code of the service's own error, or else of the call. */
function errorCodeOf(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as {
      error?: { status?: string; details?: readonly { errorCode?: string }[] }
    }
    return error?.details?.find(({ errorCode }) => errorCode)?.errorCode ?? error?.status ?? null
  } catch {
    return null
  }
}
