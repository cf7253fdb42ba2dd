import { type ClientTls, createOutwardClient } from '@tms/service-kit'
import type { PushSender, PushSenders } from '../kernel/pushes/push.ts'
import { createPushRelay, type PushRelay } from '../kernel/pushes/push-relay.ts'
import { createApnsSender } from './apps/apns-sender.ts'
import { createApnsToken } from './apps/apns-token.ts'
import { createFcmSender } from './apps/fcm-sender.ts'
import { createGoogleToken } from './apps/google-token.ts'
import { parseServiceAccount } from './apps/service-account.ts'
import { isOfBrowser } from './browser-services.rules.ts'
import { createRelaySender, type RelaySenderTools } from './relay/relay-sender.ts'
import { createSealedRelaySender } from './relay/sealed-relay-sender.ts'
import { createConnectionKeeping } from './web-push/kept-connections.ts'
import { createVapidSigner } from './web-push/vapid.ts'
import { createWebPushSender } from './web-push/web-push-sender.ts'

/** For one attempt, from resolving the name to the last byte of the answer. */
const TIMEOUT_MS = 10_000
/** Push services answer with next to nothing. */
const MAX_ANSWER_BYTES = 16 * 1_024

/** It calls other services itself. */
const RELAY_TIMEOUT_MS = 15_000
/** It names each organization, and devices that are gone. */
const MAX_RELAY_ANSWER_BYTES = 4 * 1_024 * 1_024

/** The variables that say how devices are reached. */
export interface PushVariables {
  readonly WEB_PUSH_PUBLIC_KEY: string | null
  readonly WEB_PUSH_PRIVATE_KEY: string | null
  readonly PUSH_CONTACT: string | null
  readonly PUSH_CONTENT: boolean
  readonly PUSHES_TO_PRIVATE_ADDRESSES: boolean
  readonly MAIL_FROM: string
  readonly MOBILE_PUSH: readonly ('fcm' | 'apns' | 'relay')[]
  readonly FCM_SERVICE_ACCOUNT: string | null
  readonly FCM_URL: string
  readonly APNS_KEY: string | null
  readonly APNS_KEY_ID: string | null
  readonly APNS_TEAM_ID: string | null
  readonly APNS_TOPIC: string | null
  readonly APNS_URL: string
  readonly EXTERNAL_HOST: string
  readonly PUSH_RELAY_URL?: string | undefined
  readonly PUSH_RELAY_ORGANIZATION: string | null
  readonly PUSH_RELAY_KEY: string | null
  readonly PUSH_REGISTRATION_KEY: string | null
}

/** The client of the push relay service; null if none is to be used. Throws if the credentials are missing. */
export function openPushRelay(config: PushVariables, tls: ClientTls, now: () => Date): PushRelay | null {
  if (!config.MOBILE_PUSH.includes('relay')) return null
  const { PUSH_RELAY_URL: url, PUSH_RELAY_ORGANIZATION: organization, PUSH_RELAY_KEY: key } = config
  if (url === undefined || organization === null || key === null)
    throw new Error(
      'PUSH_RELAY_URL, PUSH_RELAY_ORGANIZATION or PUSH_RELAY_KEY is missing: MOBILE_PUSH names relay',
    )
  // The operator chose this address, not a user.
  const post = createOutwardClient({
    ...{ allowsPrivate: true, keepsConnections: true, tls },
    ...{ timeoutMs: RELAY_TIMEOUT_MS, maxAnswerBytes: MAX_RELAY_ANSWER_BYTES },
  })
  return createPushRelay({ url, organization, key, post, now, hostname: config.EXTERNAL_HOST })
}

/** Opens the senders that the installation has credentials of. Throws if the credentials are no good. */
export async function openPushSenders(
  config: PushVariables,
  tls: ClientTls,
  now: () => Date,
  relay: RelaySenderTools | null,
): Promise<PushSenders> {
  const web_push = await openWebPush(config, tls, now)
  const { MOBILE_PUSH: apps, PUSH_REGISTRATION_KEY: registrationKey } = config
  const fcm = apps.includes('fcm') ? openFcm(config, tls, now) : null
  const apns = apps.includes('apns') ? await openApns(config, tls, now) : null
  if (registrationKey !== null && fcm === null && apns === null)
    throw new Error('PUSH_REGISTRATION_KEY is of no use: MOBILE_PUSH names neither fcm nor apns')
  return {
    ...(web_push && { web_push }),
    ...(fcm && { fcm, ...(registrationKey !== null && { sealed_fcm: fcm }) }),
    ...(relay && openRelayed(relay, config.PUSH_CONTENT)),
    ...(apns && { apns, ...(registrationKey !== null && { sealed_apns: apns }) }),
  }
}

const openRelayed = (tools: RelaySenderTools, showsContent: boolean): PushSenders => ({
  relay: createRelaySender({ ...tools, showsContent }),
  sealed_relay_apns: createSealedRelaySender('apns', { ...tools, showsContent }),
  sealed_relay_fcm: createSealedRelaySender('fcm', { ...tools, showsContent }),
})

async function openWebPush(
  config: PushVariables,
  tls: ClientTls,
  now: () => Date,
): Promise<PushSender | null> {
  const { WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKey } = config
  if (publicKey === null) return null
  if (privateKey === null)
    throw new Error('WEB_PUSH_PRIVATE_KEY is missing: WEB_PUSH_PUBLIC_KEY alone signs nothing')
  const contact = config.PUSH_CONTACT ?? `mailto:${config.MAIL_FROM}`
  return createWebPushSender({
    post: createOutwardClient({
      ...{ allowsPrivate: config.PUSHES_TO_PRIVATE_ADDRESSES, tls },
      keepsConnections: createConnectionKeeping(),
      ...{ timeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
    }),
    isOfBrowser,
    sign: await createVapidSigner({ publicKey, privateKey }, contact),
    showsContent: config.PUSH_CONTENT,
    now,
  })
}

function openFcm(config: PushVariables, tls: ClientTls, now: () => Date): PushSender {
  if (config.FCM_SERVICE_ACCOUNT === null)
    throw new Error('FCM_SERVICE_ACCOUNT is missing: MOBILE_PUSH names fcm')
  const account = parseServiceAccount(config.FCM_SERVICE_ACCOUNT)
  // The operator chose these addresses, not a user.
  const post = createOutwardClient({
    ...{ allowsPrivate: true, keepsConnections: true, tls },
    ...{ timeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
  })
  const token = createGoogleToken(account, post, now)
  const showsContent = config.PUSH_CONTENT
  return createFcmSender({
    url: config.FCM_URL,
    projectId: account.project_id,
    post,
    token,
    showsContent,
    now,
  })
}

async function openApns(config: PushVariables, tls: ClientTls, now: () => Date): Promise<PushSender> {
  const { APNS_KEY: key, APNS_KEY_ID: keyId, APNS_TEAM_ID: teamId } = config
  if (key === null || keyId === null || teamId === null)
    throw new Error('APNS_KEY, APNS_KEY_ID or APNS_TEAM_ID is missing: MOBILE_PUSH names apns')
  return createApnsSender({
    url: config.APNS_URL,
    tls,
    sign: await createApnsToken({ key, keyId, teamId }, now),
    topic: config.APNS_TOPIC,
    showsContent: config.PUSH_CONTENT,
    now,
  })
}
