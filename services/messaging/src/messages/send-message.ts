import { AppError, type endpoints } from '@tms/contracts'
import { type Handler, isUniqueViolation } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { isChannelType } from './addressee.rules.ts'
import { type Delivery, deliver } from './deliver.ts'
import type { Outgoing, Sent } from './outgoing.ts'
import { prepareDirectMessage } from './send-direct-message.ts'
import { checkSameRequest, sendKeyOf } from './send-key.rules.ts'
import { prepareChannelMessage } from './send-to-channel.ts'
import { checkEcho } from './sending.rules.ts'
import { findSent, SENT_KEYS } from './sent-keys.queries.ts'
import { OutdatedCheck } from './store-message.queries.ts'

/** How often a message is checked anew because its channel changed meanwhile: too few refuse sends to where much happens. */
const MAX_TRIES = 20

type SendMessage = typeof endpoints.messaging.sendMessage

/**
 * Sends a message. Sending the same again makes a second one, unless the request has an `Idempotency-Key` header: then a
 * second attempt within a day gets the first answer, though it may no longer be allowed.
 */
export const handleSendMessage: Handler<SendMessage, Context> = async (request) => {
  const { input, caller, context, client, requestId } = request
  const { queue_id, local_id } = input
  checkEcho(queue_id, local_id)
  const outgoing: Outgoing = {
    context,
    sender: caller,
    input,
    echo: queue_id !== undefined && local_id !== undefined ? { queueId: queue_id, localId: local_id } : null,
    client,
    requestId,
    key: sendKeyOf(request.headers['idempotency-key'], input),
    companions: [],
  }
  const first = await findFirst(outgoing)
  const { id, automaticVisibility } = first ?? (await sendOnce(outgoing))
  context.relay.wake()
  return automaticVisibility === null ? { id } : { id, automatic_new_visibility_policy: automaticVisibility }
}

/**
 * Sends a message to wherever it is addressed, as its channel is at the moment at which the message takes its place there.
 * Throws SERVICE_UNAVAILABLE where that changes all the time.
 */
export async function send(outgoing: Outgoing): Promise<Sent> {
  let delivery = await prepare(outgoing)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await deliver(outgoing, delivery)
    } catch (err) {
      if (!(err instanceof OutdatedCheck)) throw err
    }
    // Mostly somebody else has left, which changes nothing for this one.
    const revision = (await delivery.findRevision?.()) ?? null
    delivery = revision === null ? await prepare(outgoing) : { ...delivery, revision }
  }
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'The channel is being changed by others; try again.' })
}

/** Checks all that sending would check. Throws what sending would. */
export function prepare(outgoing: Outgoing): Promise<Delivery> {
  return isChannelType(outgoing.input.type) ? prepareChannelMessage(outgoing) : prepareDirectMessage(outgoing)
}

/** Sends it, unless another attempt does at the same time: the unique index lets only one of them through. */
async function sendOnce(outgoing: Outgoing): Promise<Sent> {
  try {
    return await send(outgoing)
  } catch (err) {
    const first = isUniqueViolation(err, SENT_KEYS) ? await findFirst(outgoing) : null
    if (!first) throw err
    return first
  }
}

/** What became of an earlier attempt. Throws BAD_REQUEST when its key was used for another message. */
async function findFirst({ context, sender, key }: Outgoing): Promise<Sent | null> {
  if (key === null) return null
  const first = await findSent(context.db, sender.userId, key)
  if (first) checkSameRequest(first, key)
  return first
}
