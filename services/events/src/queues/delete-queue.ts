import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, publishUnsequenced } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { badQueue } from './bad-queue.ts'
import { awaitRefill } from './refilling.ts'

/** Deletes a queue: unknown from now on, and its attached poll ends. */
export const handleDeleteEventQueue: Handler<typeof endpoints.events.deleteEventQueue, Context> = async (
  request,
) => {
  const { input, caller, context, requestId, log } = request
  const partition = context.partitionOf(caller.userId)
  await forget(context, partition, input.queue_id, caller.userId)
  const closed = { queue_id: input.queue_id, user_id: caller.userId }
  // Only tidies up: should the broker be away, the owner drops the queue with its next sweep.
  await publishUnsequenced(context.publisher, domainEvents.events.queueClosed, closed, {
    realmId: caller.realmId,
    requestId,
  }).catch((err: unknown) => log.warn({ err, requestId }, 'queue closing could not be written to the log'))
  return {}
}

/** Throws BAD_EVENT_QUEUE_ID for a queue that isn't there, and isn't going to be there again. */
async function forget(context: Context, partition: number, queueId: string, userId: number): Promise<void> {
  const mayBeRefilled = awaitRefill(context)
  for (;;) {
    if (await context.store.forget(partition, queueId, userId)) return
    const { offset } = await context.store.describe(partition)
    if (!(await mayBeRefilled(offset))) throw badQueue(queueId)
  }
}
