import { type ClientTls, createOutwardClient, OutwardCallError, type publicLookup } from '@tms/service-kit'

/** For the whole call: from resolving the name to the last byte of the answer. */
const TIMEOUT_MS = 10_000
/** The longest message, if JSON escaped every character as an emoji. */
const MAX_ANSWER_BYTES = 128 * 1024

export interface WebhookRequest {
  readonly url: string
  readonly body: string
  readonly contentType: string
  /** Those that name and sign the call. */
  readonly headers: Readonly<Record<string, string>>
}

export interface WebhookAnswer {
  readonly status: number
  readonly body: string
}

/** Sends a request to a webhook. Throws `WebhookCallError`. */
export type PostToWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>

/** A call without a usable answer. The message says why, in words for the bot's owner. */
export class WebhookCallError extends Error {
  /** Whether another attempt may help. */
  readonly isTransient: boolean

  constructor(message: string, { isTransient, cause }: { isTransient: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isTransient = isTransient
  }
}

/**
 * Creates the client that calls webhooks. Unless `allowsPrivate`, it connects to no address of this machine or its
 * network.
 */
export function createWebhookClient({
  timeoutMs = TIMEOUT_MS,
  ...options
}: {
  allowsPrivate: boolean
  tls: ClientTls
  timeoutMs?: number
  lookup?: typeof publicLookup
}): PostToWebhook {
  const send = createOutwardClient({ ...options, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES })
  return async ({ url, body, contentType, headers }) => {
    try {
      const types = { 'content-type': contentType, accept: 'application/json' }
      const answer = await send({ url, body, headers: { ...types, ...headers } })
      return { status: answer.status, body: answer.body }
    } catch (err) {
      throw err instanceof OutwardCallError ? toWebhookCallError(err, timeoutMs) : err
    }
  }
}

function toWebhookCallError(err: OutwardCallError, timeoutMs: number): WebhookCallError {
  switch (err.fault) {
    case 'private_address':
      return failed('its URL leads to a local or private address, which webhooks must not call', err, false)
    case 'too_large':
      return failed(`its answer has more than ${MAX_ANSWER_BYTES / 1024} KiB`, err, false)
    case 'timeout':
      return failed(`it did not answer within ${timeoutMs / 1000} seconds`, err, true)
    case 'unreachable':
      return failed(`it could not be reached${err.code === undefined ? '' : ` (${err.code})`}`, err, true)
  }
}

const failed = (message: string, cause: unknown, isTransient: boolean): WebhookCallError =>
  new WebhookCallError(message, { isTransient, cause })
