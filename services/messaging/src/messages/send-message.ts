import { AppError, type endpoints } from '@tms/contracts'
import { type Handler, isUniqueViolation } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isChannelType } from '../kernel/messages/message-target.rules.ts'
import { findFirstAttempt, IDEMPOTENCY_KEYS_PKEY } from './idempotency-key.queries.ts'
import { checkSameRequest, parseIdempotencyKey } from './idempotency-key.rules.ts'
import { type CheckedMessage, persistMessage } from './persist-message.ts'
import { prepareDirectMessage } from './send-direct-message.ts'
import type { SendRequest, SendResult } from './send-request.ts'
import { prepareChannelMessage } from './send-to-channel.ts'
import { checkEcho } from './sending.rules.ts'
import { VersionConflictError } from './store-message.queries.ts'

/**
 * Checks of a message before giving up because its channel changed each time. Too few would refuse sends to a
 * channel with many changes.
 */
const MAX_TRIES = 20

type SendMessage = typeof endpoints.messaging.sendMessage

/**
 * Sends a message. Sending the same again makes a second one, unless the request has an `Idempotency-Key` header:
 * then a second attempt within a day returns the first answer, even if it would no longer be allowed.
 */
export const handleSendMessage: Handler<SendMessage, Context> = async (request) => {
  const { input, caller, context, client, requestId } = request
  const { queue_id, local_id } = input
  checkEcho(queue_id, local_id)
  const sendRequest: SendRequest = {
    context,
    sender: caller,
    input,
    echo: queue_id !== undefined && local_id !== undefined ? { queueId: queue_id, localId: local_id } : null,
    client,
    requestId,
    idempotencyKey: parseIdempotencyKey(request.headers['idempotency-key'], input),
    hooks: [],
  }
  const firstResult = await findFirstResult(sendRequest)
  const { id, automaticVisibility } = firstResult ?? (await sendOnce(sendRequest))
  return automaticVisibility === null ? { id } : { id, automatic_new_visibility_policy: automaticVisibility }
}

/**
 * Checks a message and stores it. If its channel changes between the two, checks it again. Throws
 * SERVICE_UNAVAILABLE if the channel keeps changing.
 */
export async function send(sendRequest: SendRequest): Promise<SendResult> {
  let checked = await prepare(sendRequest)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await persistMessage(sendRequest, checked)
    } catch (err) {
      if (!(err instanceof VersionConflictError)) throw err
    }
    // Mostly another user has left, which doesn't affect this message.
    const version = (await checked.findVersion?.()) ?? null
    checked = version === null ? await prepare(sendRequest) : { ...checked, version }
  }
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'The channel is being changed by others; try again.' })
}

/** Makes all the checks of a send. Throws what sending would throw. */
export function prepare(sendRequest: SendRequest): Promise<CheckedMessage> {
  return isChannelType(sendRequest.input.type)
    ? prepareChannelMessage(sendRequest)
    : prepareDirectMessage(sendRequest)
}

/**
 * Sends a message, unless another attempt does at the same time: the unique index lets only one of them succeed.
 */
async function sendOnce(sendRequest: SendRequest): Promise<SendResult> {
  try {
    return await send(sendRequest)
  } catch (err) {
    const firstResult = isUniqueViolation(err, IDEMPOTENCY_KEYS_PKEY)
      ? await findFirstResult(sendRequest)
      : null
    if (!firstResult) throw err
    return firstResult
  }
}

/** Finds the result of an earlier attempt. Throws BAD_REQUEST if its key was used for another message. */
async function findFirstResult({ context, sender, idempotencyKey }: SendRequest): Promise<SendResult | null> {
  if (idempotencyKey === null) return null
  const firstResult = await findFirstAttempt(context.db, sender.userId, idempotencyKey)
  if (firstResult) checkSameRequest(firstResult, idempotencyKey)
  return firstResult
}
