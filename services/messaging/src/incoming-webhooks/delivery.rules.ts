import { createHash } from 'node:crypto'
import { AppError, type WebhookDelivery } from '@tms/contracts'
import { block, type PayloadError, type Received } from '@tms/integrations'
import type { DeliveryName } from './arrived-delivery.ts'

/** Bytes of a payload that are kept: enough for nearly every sender, so little that a hundred can be listed. */
export const KEPT_BYTES = 64 * 1024
/** Headers that say nothing about what was sent, or are secrets. */
const NOT_KEPT =
  /^(authorization|cookie|host|connection|accept.*|content-length|transfer-encoding|x-forwarded-.*|x-request-id|x-over-call-limit|traceparent|tracestate|forwarded|via|.*(token|signature|secret|api-?key).*)$/
const MAX_HEADERS = 40
const MAX_HEADER_LENGTH = 500

/** What came of a delivery. */
export interface DeliveryOutcome {
  readonly outcome: WebhookDelivery['outcome']
  readonly error: AppError | null
  /** Whether the sender gets a success all the same: it can't help it, and may turn itself off after failures. */
  readonly isNoFault: boolean
  /** The event, if the integration doesn't know it. */
  readonly unsupported: string | null
  readonly messageIds: readonly number[]
}

/** The outcome of a delivery that could not be posted. */
export const failed = (error: AppError, isNoFault = false): DeliveryOutcome => ({
  ...{ outcome: 'failed', error, isNoFault, unsupported: null, messageIds: [] },
})

/** The status that the sender of a delivery gets. */
export const statusOf = ({ error, isNoFault }: DeliveryOutcome): number =>
  error === null || isNoFault ? 200 : error.status

/** Headers as they are kept with a delivery. */
export function keptHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value !== 'string' || NOT_KEPT.test(name)
      ? []
      : [[name, value.slice(0, MAX_HEADER_LENGTH)] as const],
  )
  return Object.fromEntries(kept.slice(0, MAX_HEADERS))
}

/** Names in a payload, of any length, may be part of it. */
const MAX_REASON_LENGTH = 500

/** What is said of a failure, as it is stored and sent. */
export const reasonOf = ({ message }: Error): string =>
  message.slice(0, MAX_REASON_LENGTH).replaceAll('\0', '\ufffd')

/** The error for a payload that contradicts the form of its sender. */
export function errorOf(err: PayloadError, integration: string): AppError {
  const [message, { fault }] = [reasonOf(err), err]
  switch (fault.code) {
    case 'MISSING_HTTP_EVENT_HEADER':
      return new AppError(fault.code, { message, details: { header: fault.header } })
    case 'ANOMALOUS_WEBHOOK_PAYLOAD':
      return new AppError(fault.code, { message, details: { webhook_name: integration } })
    case 'BAD_REQUEST':
      return new AppError(fault.code, { message })
  }
}

/** The error for a request from which no messages can be made; null for others. */
export function refusalOf(received: Received): AppError | null {
  switch (received.kind) {
    case 'not_json':
      return new AppError('INVALID_JSON')
    case 'no_payload':
      return new AppError('REQUEST_VARIABLE_MISSING', {
        message: "Missing 'payload' argument",
        details: { var_name: 'payload' },
      })
    case 'bad_signature':
      return new AppError('UNAUTHORIZED', {
        message: `The signature in the header '${received.header}' is missing or wrong`,
      })
    case 'messages':
    case 'unsupported':
      return null
  }
}

/** Identifies message `index` of a delivery, so that another attempt is recognized. */
export function idempotencyKeyOf(
  integration: string,
  name: DeliveryName,
  index: number,
): { key: Buffer; request: Buffer } {
  const identity =
    'sendersId' in name ? ['webhook', integration, name.sendersId] : ['waiting webhook', name.waitingId]
  const key = createHash('sha256')
    .update(JSON.stringify([...identity, index]))
    .digest()
  return { key, request: key }
}

/** Says to the owner of a bot what went wrong. The reason may contain any text, so it is quoted as code. */
export function writeFailureNotice(failed: {
  readonly bot: { readonly user_id: number; readonly full_name: string }
  readonly displayName: string
  readonly reason: string
}): string {
  const { bot, displayName, reason } = failed
  return [
    `Something that ${displayName} sent to your bot @_**${bot.full_name}|${bot.user_id}** was not posted, at least not all of it:`,
    '',
    block(reason, 'text'),
    '',
    'Further failures within a minute are not reported here; the list of its deliveries shows them all.',
  ].join('\n')
}

/** Says to the owner of a bot that nobody sees what it posted. Names of channels may contain anything, so they are quoted as code. */
export function writeUnreadNotice(posted: {
  readonly bot: { readonly user_id: number; readonly full_name: string }
  readonly displayName: string
  readonly channels: readonly string[]
}): string {
  const { bot, displayName, channels } = posted
  const where = channels.length === 1 ? 'a channel' : 'channels'
  return [
    `What ${displayName} sent to your bot @_**${bot.full_name}|${bot.user_id}** was posted in ${where} to which nobody is subscribed:`,
    '',
    block(channels.join('\n'), 'text'),
  ].join('\n')
}
