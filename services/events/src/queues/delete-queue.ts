import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, publishWithoutPlace } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { badQueue } from './bad-queue.ts'

/** Deletes a queue: unknown from now on, and its attached poll ends. */
export const handleDeleteEventQueue: Handler<typeof endpoints.events.deleteEventQueue, Context> = async (
  request,
) => {
  const { input, caller, context, requestId, log } = request
  const partition = context.partitionOf(caller.userId)
  const { existed, holder } = await context.store.forget(partition, input.queue_id, caller.userId)
  if (!existed) {
    throw badQueue(input.queue_id)
  }
  if (holder !== '') await context.store.supersede(holder, input.queue_id)
  const closed = { queue_id: input.queue_id, user_id: caller.userId }
  // Only tidies up: should the broker be away, the owner drops the queue with its next sweep.
  await publishWithoutPlace(context.publisher, domainEvents.events.queueClosed, closed, {
    realmId: caller.realmId,
    requestId,
  }).catch((err: unknown) => log.warn({ err, requestId }, 'queue closing could not be written to the log'))
  return {}
}
