import { type ClientTls, createOutwardClient } from '@tms/service-kit'
import type { PushSenders } from '../kernel/pushes/push.ts'
import { createVapidSigner } from './web-push/vapid.ts'
import { createWebPushSender } from './web-push/web-push-sender.ts'

/** For one attempt, from resolving the name to the last byte of the answer. */
const TIMEOUT_MS = 10_000
/** Push services answer with next to nothing. */
const MAX_ANSWER_BYTES = 16 * 1_024

/** The variables that say how devices are reached. */
export interface PushVariables {
  readonly WEB_PUSH_PUBLIC_KEY: string | null
  readonly WEB_PUSH_PRIVATE_KEY: string | null
  readonly PUSH_CONTACT: string | null
  readonly PUSH_CONTENT: boolean
  readonly PUSHES_TO_PRIVATE_ADDRESSES: boolean
  readonly MAIL_FROM: string
}

/** Opens the senders that the installation has credentials of. Throws if the credentials are no good. */
export async function openPushSenders(
  config: PushVariables,
  tls: ClientTls,
  now: () => Date,
): Promise<PushSenders> {
  const { WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKey } = config
  const showsContent = config.PUSH_CONTENT
  if (publicKey !== null && privateKey === null)
    throw new Error('WEB_PUSH_PRIVATE_KEY is missing: WEB_PUSH_PUBLIC_KEY alone signs nothing')
  return {
    ...(publicKey !== null &&
      privateKey !== null && {
        web_push: createWebPushSender({
          post: createOutwardClient({
            ...{ allowsPrivate: config.PUSHES_TO_PRIVATE_ADDRESSES, tls },
            ...{ timeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
          }),
          sign: await createVapidSigner(
            { publicKey, privateKey },
            config.PUSH_CONTACT ?? `mailto:${config.MAIL_FROM}`,
          ),
          showsContent,
          now,
        }),
      }),
  }
}
