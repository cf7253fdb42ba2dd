import { type endpoints, queueTiming, serverVersion } from '@tms/contracts'
import { type Handler, JoinedFields } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { NO_EVENT } from '../partitions/event-id.ts'
import { releaseKeys } from '../release/release-keys.ts'
import { openQueue } from './open-queue.ts'

/** Registers a queue and returns the state that its events start from. */
export const handleRegister: Handler<typeof endpoints.events.register, Context> = async (request) => {
  const { queueId, lifespanSeconds, state } = await openQueue(request.input, request)
  return new JoinedFields(state, {
    ...releaseKeys(serverVersion),
    event_queue_longpoll_timeout_seconds: queueTiming.longpollTimeoutSeconds,
    idle_queue_timeout_secs: lifespanSeconds,
    queue_id: queueId,
    last_event_id: NO_EVENT,
  })
}
