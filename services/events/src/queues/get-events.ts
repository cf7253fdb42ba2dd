import { AppError, badRequest, type endpoints, queueTiming } from '@tms/contracts'
import { type Handler, isTracing, type Request, SerializedFields } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { heartbeatIdOf, NO_EVENT, positionOf } from '../partitions/event-id.ts'
import type { PollOptions, QueueContent } from '../redis/partition-store.ts'
import { asRendered, type RenderedQueue } from '../rendering/presentation.ts'
import { badQueue } from './bad-queue.ts'
import { findLogEnd } from './find-log-end.ts'
import type { Hold } from './holds.ts'
import { openQueue } from './open-queue.ts'
import { inPassing } from './queue-options.ts'
import { awaitRefill } from './refilling.ts'
import { TOLD_SINGLY } from './told.ts'

type GetEvents = typeof endpoints.events.getEvents

/** Events in one reply; a client with more to come polls again at once. */
const MAX_EVENTS = 2_000
/** A held queue must not run out while its poll is attached. */
const HOLD_GRACE_SECONDS = 60

/** API document, "Get events from an event queue". */
export const handleGetEvents: Handler<GetEvents, Context> = async (request) => {
  const { input } = request
  const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock = false } = input
  if (queueId !== undefined) return poll(request, { queueId, lastEventId, dontBlock })
  if ((lastEventId ?? NO_EVENT) > NO_EVENT) {
    throw badRequest(
      `An event with ID ${lastEventId} can't have been in a queue that isn't there yet: there is no queue_id`,
    )
  }
  const opened = await openQueue(inPassing(input), request)
  for (const text of opened.state) text.discard()
  const { queueId: newId, lifespanSeconds } = opened
  return poll(request, { queueId: newId, lastEventId: undefined, dontBlock, lifespanSeconds })
}

interface Poll {
  readonly queueId: string
  readonly lastEventId: number | undefined
  readonly dontBlock: boolean
  /** Of a queue that this very request has opened, whose client has yet to be told. */
  readonly lifespanSeconds?: number
}

async function poll(request: Request<GetEvents, Context>, polled: Poll): Promise<SerializedFields> {
  const { queueId, lastEventId, dontBlock } = polled
  const { context } = request
  const startedAt = context.now()
  const deadline = startedAt + queueTiming.heartbeatMinMs + Math.random() * queueTiming.heartbeatSpreadMs

  /** What the queue calls this poll while it is held. */
  let heldNumber: number | null = null
  let held: Hold | null = null
  let hasLeft = false
  request.onClosed(() => {
    hasLeft = true
    held?.wake({ kind: 'gone' })
  })
  for (;;) {
    const isLastLook = context.now() >= deadline
    // Registered before the queue is read, so that no commit falls in between.
    const hold = dontBlock || isLastLook ? null : context.waiters.hold(queueId, deadline)
    try {
      const holder = hold ? context.replicaId : ''
      const answer = await read(request, polled, { holder, heldNumber })
      if (answer.eventIds.length === 0 && isLastLook) return heartbeat(polled, answer.offset)
      hold?.numbered(answer.number)
      if (answer.eventIds.length > 0 || !hold) return await reply(request, polled, answer)
      heldNumber = answer.number

      held = hold
      if (hasLeft) hold.wake({ kind: 'gone' })
      const wakening = await hold.wakening
      if (wakening.kind === 'gone') {
        await unhold(request, queueId, heldNumber)
        return new SerializedFields('')
      }
      if (wakening.kind === 'replaced') {
        // The note may be of one that is held here now: which that is goes by whose read was answered last.
        if (!wakening.isHeldHere) await unhold(request, queueId, heldNumber)
        return eventsReply(polled, [])
      }
      if (wakening.kind === 'end') return await lastOf(request, polled, heldNumber)
      // The queue was empty, so what this commit appended is all that it holds.
      const fresh =
        wakening.kind === 'events' ? wakening.eventIds.filter((id) => id > (lastEventId ?? NO_EVENT)) : []
      if (fresh.length > 0) {
        return await reply(request, polled, { record: answer.record, eventIds: fresh, told: TOLD_SINGLY })
      }
    } catch (err) {
      if (err instanceof Overtaken) return eventsReply(polled, [])
      throw err
    } finally {
      hold?.release()
    }
  }
}

/** While a poll was held, another has acknowledged more, or has come to be held, and this one hasn't been told so. */
class Overtaken extends Error {}

/** Notes that a poll ended with nothing told. In vain it may be: then fewer events are joined than could be. */
async function unhold(
  { caller, context }: Request<GetEvents, Context>,
  queueId: string,
  heldNumber: number,
): Promise<void> {
  await context.store.unhold(context.partitionOf(caller.userId), queueId, heldNumber).catch(() => {})
}

/** What there is when a poll is no longer held. Of a queue that was deleted, nothing: the next poll is told so. */
async function lastOf(
  request: Request<GetEvents, Context>,
  polled: Poll,
  heldNumber: number | null,
): Promise<SerializedFields> {
  try {
    const atLast = await read(request, polled, { holder: '', heldNumber })
    return await reply(request, polled, atLast)
  } catch (err) {
    if (err instanceof AppError && err.code === 'BAD_EVENT_QUEUE_ID') return eventsReply(polled, [])
    throw err
  }
}

function neverInQueue(eventId: number | undefined): AppError {
  return badRequest(`An event with ID ${eventId} was never in this queue`)
}

async function read(
  request: Request<GetEvents, Context>,
  { queueId, lastEventId }: Poll,
  holding: Pick<PollOptions, 'holder' | 'heldNumber'>,
): Promise<Omit<QueueContent, 'record'> & { readonly record: RenderedQueue }> {
  const { caller, context } = request
  const known = context.records.get(queueId)
  const offset = positionOf(lastEventId ?? NO_EVENT).offset
  const askStore = (isInLog: boolean) =>
    context.store.poll(context.partitionOf(caller.userId), {
      queueId,
      userId: caller.userId,
      lastEventId,
      mayBeLost: isInLog && context.mayBeLost(offset),
      graceSeconds: holding.holder === '' ? 0 : HOLD_GRACE_SECONDS,
      ...holding,
      wantsRecord: !known,
      limit: MAX_EVENTS,
    })
  const ask = async () => {
    const isInLog = offset <= (context.feed.end() ?? -1)
    const first = await askStore(isInLog)
    if (first.status !== 'never' || isInLog) return first
    // Made up, or of a log that was lost, unless another replica is a moment ahead. Not asked before: what that one has told is
    // committed, however far this one is behind, and the broker may be away.
    return offset <= (await findLogEnd(context.feed)) ? askStore(true) : first
  }
  const mayBeRefilled = awaitRefill(context)
  let answer = await ask()
  while (answer.status === 'gone') {
    if (!(await mayBeRefilled(answer.offset))) throw badQueue(queueId)
    answer = await ask()
  }
  if (answer.status === 'replaced') throw new Overtaken()
  if (answer.status === 'stale') {
    if (holding.heldNumber !== null) throw new Overtaken()
    throw badRequest(`Events after ${lastEventId} were acknowledged before, and are gone`)
  }
  if (answer.status === 'never') throw neverInQueue(lastEventId)
  const record = known ?? (answer.record && asRendered(answer.record))
  if (!record) throw badQueue(queueId)
  if (!known) context.records.set(queueId, record)
  // With the poll, not looked up when it is answered: among very many queues those that are quiet are forgotten meanwhile.
  return { ...answer, record }
}

async function reply(
  { caller, context, log, requestId }: Request<GetEvents, Context>,
  polled: Poll,
  { record, eventIds, told }: { record: RenderedQueue } & Pick<QueueContent, 'eventIds' | 'told'>,
): Promise<SerializedFields> {
  const { queueId } = polled
  const partition = context.partitionOf(caller.userId)
  const startedAt = context.now()
  const rendered = await context.events.render(partition, record, eventIds, told)
  const { texts, requestIds } = rendered
  if (isTracing()) context.traces.delivered({ partition, queueId, eventIds: rendered.eventIds, startedAt })
  if (texts.length > 0) {
    log.info(
      { requestId, queueId, events: texts.length, causedBy: [...new Set(requestIds)] },
      'events delivered',
    )
  }
  return eventsReply(polled, texts)
}

function heartbeat(polled: Poll, committedOffset: number): SerializedFields {
  const id = heartbeatIdOf(polled.lastEventId ?? NO_EVENT, committedOffset)
  return eventsReply(polled, [`{"id":${id},"type":"heartbeat"}`])
}

function eventsReply({ queueId, lifespanSeconds }: Poll, texts: readonly string[]): SerializedFields {
  const lifespan = lifespanSeconds === undefined ? '' : `,"idle_queue_timeout_secs":${lifespanSeconds}`
  return new SerializedFields(
    `"events":[${texts.join(',')}],"queue_id":${JSON.stringify(queueId)}${lifespan}`,
  )
}
