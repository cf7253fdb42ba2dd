import { AppError, badRequest, type endpoints, pollAnswer, queueTiming } from '@tms/contracts'
import { type Caller, type Handler, isTracing, type Request, SerializedFields } from '@tms/service-kit'
import { heartbeatIdOf, NO_EVENT } from '../kernel/event-id.ts'
import type { QueueContent } from '../redis/partition-store.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import { JOIN_NOTHING } from './coalesce.ts'
import type { Context } from './context.ts'
import { openQueue } from './open-queue.ts'
import type { PendingPoll } from './pending-polls.ts'
import { toRegisterInput } from './queue-options.ts'
import { PollSupersededError, readQueue } from './read-queue.ts'

type GetEvents = typeof endpoints.events.getEvents

/** API document, "Get events from an event queue". */
export const handleGetEvents: Handler<GetEvents, Context> = async (request) => {
  const { input } = request
  const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock = false } = input
  if (queueId !== undefined)
    return renderReply(await answerPoll(request, { queueId, lastEventId, dontBlock }))
  if ((lastEventId ?? NO_EVENT) > NO_EVENT) {
    throw badRequest(
      `last_event_id ${lastEventId} needs a queue_id: without one, a new queue is opened, which has no events yet`,
    )
  }
  const opened = await openQueue(toRegisterInput(input), request)
  for (const text of opened.state) text.discard()
  const { queueId: newId, lifespanSeconds } = opened
  const answer = await answerPoll(request, { queueId: newId, lastEventId: undefined, dontBlock })
  return renderReply({ ...answer, lifespanSeconds })
}

/** Who polls. */
export interface Poller extends Pick<Request<GetEvents, Context>, 'context' | 'log' | 'requestId'> {
  readonly caller: Caller
  /** Characters of an answer, unless its first event alone has more; by default those of a request. */
  readonly maxAnswerLength?: number
  /** Calls the listener when the client has left or was answered. */
  onClosed(listener: () => void): void
}

interface PollParams {
  readonly queueId: string
  readonly lastEventId: number | undefined
  readonly dontBlock: boolean
}

/** Events, each as JSON. */
export interface PollReply {
  readonly queueId: string
  readonly texts: readonly string[]
}

/**
 * Waits for events of a queue. Resolves without events if another poll took over or the client has left, and with a heartbeat
 * after a minute at most. Throws as `readQueue` does.
 */
export async function answerPoll(poller: Poller, params: PollParams): Promise<PollReply> {
  const { queueId, lastEventId, dontBlock } = params
  const { context } = poller
  const nothing = { queueId, texts: [] }
  const read = { queueId, lastEventId, afterId: null, isStream: false }
  const deadline = context.now() + queueTiming.heartbeatMinMs + Math.random() * queueTiming.heartbeatSpreadMs

  /** This poll's number while it is pending. */
  let pendingNumber: number | null = null
  let current: PendingPoll | null = null
  let hasDisconnected = false
  poller.onClosed(() => {
    hasDisconnected = true
    current?.wake({ kind: 'disconnected' })
  })
  for (;;) {
    const isLastRead = context.now() >= deadline
    // Registered before the queue is read, so that no commit in between is missed.
    const pending = dontBlock || isLastRead ? null : context.pollRegistry.register(queueId, deadline)
    try {
      const replicaId = pending ? context.replicaId : ''
      const answer = await readQueue(poller, { ...read, replicaId, pendingNumber })
      if (answer.eventIds.length === 0 && isLastRead) return heartbeatOf(params, answer.offset)
      pending?.setNumber(answer.number)
      if (answer.eventIds.length > 0 || !pending) {
        return await renderEvents(poller, params, { ...answer, wasPending: pendingNumber !== null })
      }
      pendingNumber = answer.number

      current = pending
      if (hasDisconnected) pending.wake({ kind: 'disconnected' })
      const wakeReason = await pending.wakeReason
      if (wakeReason.kind === 'disconnected') {
        await clearPendingPoll(poller, queueId, pendingNumber)
        return nothing
      }
      if (wakeReason.kind === 'superseded') {
        // If another poll is pending here, the record in Redis must stay even with this poll's number: the poll whose read was
        // answered last is the pending one, and its number may be the lower one.
        if (!wakeReason.isPendingHere) await clearPendingPoll(poller, queueId, pendingNumber)
        return nothing
      }
      if (wakeReason.kind === 'end') return await answerAtOnce(poller, params, pendingNumber)
      // The queue was empty, so the events of this commit are all that it contains.
      const eventIds =
        wakeReason.kind === 'events' ? wakeReason.eventIds.filter((id) => id > (lastEventId ?? NO_EVENT)) : []
      if (eventIds.length > 0) {
        const { record } = answer
        const content = { record, eventIds, boundaries: JOIN_NOTHING, wasPending: true }
        return await renderEvents(poller, params, content)
      }
    } catch (err) {
      if (err instanceof PollSupersededError) return nothing
      throw err
    } finally {
      pending?.release()
    }
  }
}

/** Records that a poll ended without returning events. If that fails, fewer events are joined than could be. */
async function clearPendingPoll(
  { caller, context }: Poller,
  queueId: string,
  pendingNumber: number,
): Promise<void> {
  await context.store
    .clearPendingPoll(context.partitionOf(caller.userId), queueId, pendingNumber)
    .catch(() => {})
}

/** Answers a poll that can't wait any longer. If the queue was deleted, returns no events: the next poll gets the error. */
async function answerAtOnce(
  poller: Poller,
  params: PollParams,
  pendingNumber: number | null,
): Promise<PollReply> {
  try {
    const { queueId, lastEventId } = params
    const read = { queueId, lastEventId, afterId: null, isStream: false }
    const answer = await readQueue(poller, { ...read, replicaId: '', pendingNumber })
    return await renderEvents(poller, params, { ...answer, wasPending: true })
  } catch (err) {
    if (err instanceof AppError && err.code === 'BAD_EVENT_QUEUE_ID')
      return { queueId: params.queueId, texts: [] }
    throw err
  }
}

interface RenderedContent extends Pick<QueueContent, 'eventIds' | 'boundaries'> {
  readonly record: RenderedQueue
  /** Whether the poll had found its queue empty: then it was pending when these events were committed to the queue. */
  readonly wasPending: boolean
}

async function renderEvents(
  poller: Poller,
  { queueId }: PollParams,
  { record, eventIds, boundaries, wasPending }: RenderedContent,
): Promise<PollReply> {
  const { caller, context, log, requestId, maxAnswerLength } = poller
  const partition = context.partitionOf(caller.userId)
  const startedAt = context.now()
  const rendered = await context.events.render(partition, record, eventIds, boundaries, maxAnswerLength)
  const { texts, requestIds, oldestAt } = rendered
  if (isTracing()) {
    context.traces.recordDelivery({ partition, queueId, eventIds: rendered.eventIds, startedAt })
  }
  if (texts.length > 0) {
    const oldestMs = oldestAt === null ? null : Math.max(0, context.now() - oldestAt)
    log.info(
      { requestId, queueId, events: texts.length, wasPending, oldestMs, causedBy: [...new Set(requestIds)] },
      'events delivered',
    )
  }
  // Many polls are answered at once, one after the other: each is measured when its own answer was written.
  if (wasPending && oldestAt !== null) {
    poller.onClosed(() => context.deliveryLatency.recordAnswer(oldestAt))
  }
  return { queueId, texts }
}

function heartbeatOf({ queueId, lastEventId }: PollParams, committedOffset: number): PollReply {
  const id = heartbeatIdOf(lastEventId ?? NO_EVENT, committedOffset)
  return { queueId, texts: [`{"id":${id},"type":"heartbeat"}`] }
}

/** The lifespan is in the answer if this poll opened the queue. */
function renderReply(answer: PollReply & { readonly lifespanSeconds?: number }): SerializedFields {
  const { queueId, texts, lifespanSeconds } = answer
  const lifespan = lifespanSeconds === undefined ? '' : `,"idle_queue_timeout_secs":${lifespanSeconds}`
  return new SerializedFields(pollAnswer(queueId, texts) + lifespan)
}
