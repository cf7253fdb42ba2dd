import { AppError, type endpoints } from '@tms/contracts'
import { type Handler, isUniqueViolation } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { RepeatedKeyError } from './groups/message-groups.ts'
import { findFirstAttempt, IDEMPOTENCY_KEYS_PKEY } from './idempotency-key.queries.ts'
import { checkSameRequest, parseIdempotencyKey } from './idempotency-key.rules.ts'
import { isRecalled, mustBeRead, persistMessage } from './persist-message.ts'
import { prepareAgain, prepareMessage } from './prepare-message.ts'
import type { SendRequest, SendResult } from './send-request.ts'
import { checkEcho } from './sending.rules.ts'
import { VersionConflictError } from './store-message.queries.ts'

/**
 * Checks of a message before giving up because its channel changed each time. Too few would refuse sends to a
 * channel with many changes.
 */
const MAX_TRIES = 20
/** Of those, with one statement if it suffices. While many users join, others would come first each time. */
const MAX_OPTIMISTIC = 3

/**
 * Storing a message begins within this time, and waits no longer for a lock: half of what the gateway waits for the answer,
 * so that nothing is stored after the gateway has answered that the outcome is unknown.
 */
const SEND_MS = 15_000

const sendUntil = () => performance.now() + SEND_MS

/**
 * Sends a message. Sending the same again makes a second one, unless the request has an `Idempotency-Key` header:
 * then a second attempt within a day returns the first answer, even if it would no longer be allowed.
 */
export const handleSendMessage: Handler<typeof endpoints.messaging.sendMessage, Context> = async (
  request,
) => {
  const { input, caller, context, client, requestId } = request
  const { queue_id, local_id } = input
  checkEcho(queue_id, local_id)
  const sendRequest: SendRequest = {
    sender: caller,
    input,
    echo: queue_id !== undefined && local_id !== undefined ? { queueId: queue_id, localId: local_id } : null,
    client,
    requestId,
    idempotencyKey: parseIdempotencyKey(request.headers['idempotency-key'], input),
    hook: null,
  }
  const { id, automaticVisibility } = await sendOnce(context, sendRequest)
  return automaticVisibility === null ? { id } : { id, automatic_new_visibility_policy: automaticVisibility }
}

/** Sends a message, unless an earlier attempt with its idempotency key did: then returns the result of that. */
export async function sendOnce(context: Context, request: SendRequest): Promise<SendResult> {
  const until = sendUntil()
  return (await findFirstResult(context, request)) ?? (await sendOrFindFirstResult(context, request, until))
}

/**
 * Checks a message and stores it. If its channel changes between the two, checks it again. Throws
 * SERVICE_UNAVAILABLE if the channel keeps changing, or if storing it can't begin before `until`.
 */
export async function sendMessage(
  context: Context,
  request: SendRequest,
  until = sendUntil(),
): Promise<SendResult> {
  let checked = await prepareMessage(context, request, { mayRecall: request.hook === null })
  if (mustBeRead(checked)) checked = await prepareAgain(context, request, checked)
  for (let tries = isRecalled(checked) ? 0 : 1; tries <= MAX_TRIES; tries++) {
    try {
      return await persistMessage(context, request, checked, { until, isOptimistic: tries <= MAX_OPTIMISTIC })
    } catch (err) {
      if (!(err instanceof VersionConflictError)) throw err
    }
    checked = await prepareAgain(context, request, checked)
  }
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'The channel is being changed by others; try again.' })
}

/**
 * Sends a message. If another attempt with its idempotency key commits first, this one is refused, by the statement that finds
 * the key or by the unique index, and the result of the other is returned.
 */
async function sendOrFindFirstResult(
  context: Context,
  request: SendRequest,
  until: number,
): Promise<SendResult> {
  try {
    return await sendMessage(context, request, until)
  } catch (err) {
    const isRepeated = err instanceof RepeatedKeyError || isUniqueViolation(err, IDEMPOTENCY_KEYS_PKEY)
    const firstResult = isRepeated ? await findFirstResult(context, request) : null
    if (!firstResult) throw err
    return firstResult
  }
}

/** Finds the result of an earlier attempt. Throws BAD_REQUEST if its key was used for another message. */
async function findFirstResult(
  { db }: Context,
  { sender, idempotencyKey }: SendRequest,
): Promise<SendResult | null> {
  if (idempotencyKey === null) return null
  const firstResult = await findFirstAttempt(db, sender.userId, idempotencyKey)
  if (firstResult) checkSameRequest(firstResult, idempotencyKey)
  return firstResult
}
