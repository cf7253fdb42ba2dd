import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from './context.ts'
import { GRACE_SECONDS, withKnownEvent } from './read-queue.ts'

/**
 * Acknowledges events that a stream delivered. Throws BAD_EVENT_QUEUE_ID if the caller has no such queue, BAD_REQUEST if the event
 * was never in it.
 */
export const handleAcknowledgeEvents: Handler<typeof endpoints.events.acknowledgeEvents, Context> = async ({
  input: { queue_id: queueId, last_event_id: lastEventId },
  caller,
  context,
}) => {
  await withKnownEvent({ caller, context }, { queueId, lastEventId }, (isLostCommitPossible) =>
    context.store.acknowledge(context.partitionOf(caller.userId), {
      queueId,
      userId: caller.userId,
      lastEventId,
      isLostCommitPossible,
      graceSeconds: GRACE_SECONDS,
    }),
  )
  return {}
}
