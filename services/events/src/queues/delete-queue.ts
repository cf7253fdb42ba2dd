import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, publishUnsequenced } from '@tms/service-kit'
import { badQueue } from './bad-queue.ts'
import type { Context } from './context.ts'
import { checkOwnQueue } from './queue-id.ts'
import { createRefillWait } from './refilling.ts'

export const handleDeleteEventQueue: Handler<typeof endpoints.events.deleteEventQueue, Context> = async (
  request,
) => {
  const { input, caller, context, requestId, log } = request
  checkOwnQueue(caller, input.queue_id)
  const partition = context.partitionOf(caller.userId)
  await deleteQueue(context, partition, input.queue_id, caller.userId)
  const closed = { queue_id: input.queue_id, user_id: caller.userId }
  // Only cleans up: if the broker is unavailable, the owner drops the queue with its next sweep.
  await publishUnsequenced(context.publisher, domainEvents.events.queueClosed, closed, {
    realmId: caller.realmId,
    requestId,
  }).catch((err: unknown) =>
    log.warn({ err, requestId }, 'closing of a queue could not be written to the log'),
  )
  return {}
}

/** Throws BAD_EVENT_QUEUE_ID if there is no such queue, and none that Redis lost and the log restores. */
async function deleteQueue(
  context: Context,
  partition: number,
  queueId: string,
  userId: number,
): Promise<void> {
  const waitForRefill = createRefillWait(context)
  for (;;) {
    if (await context.store.deleteQueue(partition, queueId, userId)) return
    const { offset } = await context.store.describe(partition)
    if (!(await waitForRefill(offset))) throw badQueue(queueId)
  }
}
