import { AppError } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { type ArrivedDelivery, parametersOf } from './arrived-delivery.ts'
import { RETRY_AFTER_SECONDS } from './backlog.rules.ts'
import { keptHeaders } from './delivery.rules.ts'
import { postDelivery } from './post-delivery.ts'
import { readDelivery } from './read-delivery.ts'
import { addToBacklog, countWaiting, hasBacklog } from './webhook-backlog.queries.ts'

/** What the sender of a delivery gets: an error, or a success. */
export interface AcceptedDelivery {
  readonly bot: KnownUser
  readonly error: AppError | null
  readonly unsupported: string | null
}

/**
 * Posts what arrived; or lets it wait, if the bot may not post that fast or has others waiting, so that nothing is lost and the
 * order stays. `callsPerMinute` is how fast the bot may post, if it is over that; otherwise null. Throws RATE_LIMIT_HIT if as many
 * wait as may.
 */
export async function acceptDelivery(
  context: Context,
  arrived: ArrivedDelivery,
  callsPerMinute: number | null,
): Promise<AcceptedDelivery> {
  const { caller, integration, address, headers, body } = arrived
  // Before the payload is read, so that a flood costs little.
  if (
    callsPerMinute !== null &&
    (await countWaiting(context.db, caller.userId)) >= context.maxWaitingDeliveries
  )
    throw tooManyWait()
  const read = readDelivery(arrived, context.now())
  // A sender may give one event to several addresses of a bot, with the same ID.
  const sendersId =
    read.messages && read.deliveryId ? JSON.stringify([read.deliveryId, address.stream, address.topic]) : null
  const waits =
    read.messages !== null && (callsPerMinute !== null || (await hasBacklog(context.db, caller.userId)))
  // What leads to no message isn't limited: it is answered, and not even stored.
  if (!waits && callsPerMinute === null)
    return postDelivery(context, { ...arrived, name: sendersId === null ? null : { sendersId } }, read)
  const bot = await context.projections.getUser(caller.userId)
  if (read.messages === null) {
    const { error, isNoFault, unsupported } = read.outcome
    return { bot, error: isNoFault ? null : error, unsupported }
  }
  const isAdded = await addToBacklog(context.db, {
    ...{ realmId: caller.realmId, botId: caller.userId, receivedAt: context.now(), payload: body },
    integration: integration.name,
    parameters: parametersOf(address),
    headers: keptHeaders(headers),
    sendersId,
    intervalMs: callsPerMinute === null ? null : Math.ceil(60_000 / callsPerMinute),
    maxCount: context.maxWaitingDeliveries,
  })
  if (!isAdded) throw tooManyWait()
  context.waitingDeliveries.wake()
  return { bot, error: null, unsupported: null }
}

const tooManyWait = (): AppError =>
  new AppError('RATE_LIMIT_HIT', {
    message: 'Too many deliveries wait to be posted',
    details: { 'retry-after': RETRY_AFTER_SECONDS },
  })
