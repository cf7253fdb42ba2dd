import type { AppError } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { type ArrivedDelivery, parametersOf } from './arrived-delivery.ts'
import { type DeliveryOutcome, KEPT_BYTES, keptHeaders, reasonOf, statusOf } from './delivery.rules.ts'
import { notifyOwner } from './notify-owner.ts'
import { postMessages } from './post-messages.ts'
import { type ReadDelivery, readDelivery } from './read-delivery.ts'
import { type StoredDelivery, storeDelivery } from './webhook-delivery.queries.ts'

/** What came of a delivery; `error` is what its sender gets. */
export interface PostedDelivery {
  readonly bot: KnownUser
  readonly stored: StoredDelivery
  readonly error: AppError | null
  /** The event, if the integration doesn't know it. */
  readonly unsupported: string | null
}

/**
 * Posts what arrived, and stores the delivery with what came of it. Notifies the bot's owner of a failure, at most once a
 * minute. Throws if a server is unavailable: then the sender should try again.
 */
export async function postDelivery(
  context: Context,
  arrived: ArrivedDelivery,
  read: ReadDelivery = readDelivery(arrived, context.now()),
): Promise<PostedDelivery> {
  const { integration, caller, address, headers, body } = arrived
  const bot = await context.projections.getUser(caller.userId)
  const outcome: DeliveryOutcome =
    read.messages === null ? read.outcome : await postMessages(context, arrived, bot, read.messages)
  const stored = await storeDelivery(context.db, {
    ...{ realmId: caller.realmId, botId: caller.userId, receivedAt: context.now() },
    integration: integration.name,
    parameters: parametersOf(address),
    headers: keptHeaders(headers),
    payload: body.subarray(0, KEPT_BYTES),
    is_complete: body.length <= KEPT_BYTES,
    outcome: outcome.outcome,
    status: statusOf(outcome),
    error: outcome.error && reasonOf(outcome.error),
    message_ids: [...outcome.messageIds],
  })
  await notifyOwner(context, { bot, integration, outcome })
  return {
    ...{ bot, stored, unsupported: outcome.unsupported },
    error: outcome.isNoFault ? null : outcome.error,
  }
}
