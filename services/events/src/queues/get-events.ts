import { badRequest, type endpoints, pollAnswer } from '@tms/contracts'
import { type Handler, SerializedFields } from '@tms/service-kit'
import { NO_EVENT } from '../kernel/event-id.ts'
import type { Context } from './context.ts'
import { openQueue } from './open-queue.ts'
import { toRegisterInput } from './queue-options.ts'
import { type Poller, type PollParams, startPoll } from './waiting-poll.ts'

/** API document, "Get events from an event queue". */
export const handleGetEvents: Handler<typeof endpoints.events.getEvents, Context> = async (request) => {
  const { input } = request
  const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock = false } = input
  if (queueId !== undefined) return answerPoll(request, { queueId, lastEventId, dontBlock })
  if ((lastEventId ?? NO_EVENT) > NO_EVENT) {
    throw badRequest(
      `last_event_id ${lastEventId} needs a queue_id: without one, a new queue is opened, which has no events yet`,
    )
  }
  const opened = await openQueue(toRegisterInput(input), request)
  for (const text of opened.state) text.discard()
  const poll = { queueId: opened.queueId, lastEventId: undefined, dontBlock }
  return answerPoll(request, poll, `,"idle_queue_timeout_secs":${opened.lifespanSeconds}`)
}

/** `further` are fields of the answer. */
async function answerPoll(poller: Poller, params: PollParams, further = ''): Promise<SerializedFields> {
  const texts = await new Promise<readonly string[]>((resolve, reject) =>
    startPoll(poller, params, { onAnswered: resolve, onFailed: reject }),
  )
  return new SerializedFields(pollAnswer(params.queueId, texts) + further)
}
