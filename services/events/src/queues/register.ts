import { type endpoints, gatewayHeaders, queueTiming, serverVersion } from '@tms/contracts'
import { type Handler, JoinedFields } from '@tms/service-kit'
import { NO_EVENT } from '../kernel/event-id.ts'
import { releaseKeys } from '../rendering/release-keys.ts'
import type { Context } from './context.ts'
import { openQueue } from './open-queue.ts'
import { readSpectatorState } from './read-spectator-state.ts'

/** Registers a queue and returns the state that its events start from. Spectators get only the state that they may see. */
export const handleRegister: Handler<typeof endpoints.events.register, Context> = async (request) => {
  const { caller, context, input, requestId } = request
  if (caller.userId === null) {
    const state = await readSpectatorState(input, { spectator: caller, context, requestId })
    return new JoinedFields([], { ...state, ...releaseKeys(serverVersion), queue_id: null })
  }
  const onClosed = (listener: () => void) => request.onClosed(listener)
  const mayBeGzipped = request.headers[gatewayHeaders.takesGzip] !== undefined
  const registration = { caller, context, requestId, mayBeGzipped, onClosed }
  const { queueId, lifespanSeconds, state } = await openQueue(input, registration)
  return new JoinedFields(state, {
    ...releaseKeys(serverVersion),
    event_queue_longpoll_timeout_seconds: queueTiming.longpollTimeoutSeconds,
    event_stream_available: true,
    idle_queue_timeout_secs: lifespanSeconds,
    queue_id: queueId,
    last_event_id: NO_EVENT,
  })
}
