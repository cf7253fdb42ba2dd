import { type AppError, badRequest } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { NO_EVENT, positionOf } from '../kernel/event-id.ts'
import { findLogEnd } from '../log/find-log-end.ts'
import type { PollAnswer, PollOptions, QueueContent } from '../redis/partition-store.ts'
import { type RenderedQueue, toRenderedQueue } from '../rendering/presentation.ts'
import { badQueue } from './bad-queue.ts'
import type { Context } from './context.ts'
import { checkOwnQueue } from './queue-id.ts'
import { createRefillWait } from './refilling.ts'

/** Maximum number of events to read at once; a client with more pending events polls again at once. */
export const MAX_EVENTS = 2_000
/** A queue must not expire while its poll is pending, nor between two reads of its stream. */
export const GRACE_SECONDS = 60

/** A newer poll or stream took over while this one was pending, and this one learns of it only now. */
export class PollSupersededError extends Error {}

/** Who reads which queue. */
interface Reader {
  readonly caller: Pick<Caller, 'userId' | 'tokenId'>
  readonly context: Context
}

type ReadOptions = Pick<
  PollOptions,
  'queueId' | 'lastEventId' | 'afterId' | 'isStream' | 'replicaId' | 'pendingNumber'
>

/**
 * Acknowledges events and reads a queue. Throws BAD_EVENT_QUEUE_ID if the caller has no such queue, BAD_REQUEST if it never had
 * the acknowledged event or has acknowledged later ones, `PollSupersededError` if a read of a pending poll or stream comes too late.
 */
export async function readQueue(
  { caller, context }: Reader,
  options: ReadOptions,
): Promise<Omit<QueueContent, 'record'> & { readonly record: RenderedQueue }> {
  const { queueId, lastEventId, pendingNumber } = options
  const cached = context.renderedQueues.get(queueId)
  const answer = await withKnownEvent({ caller, context }, { queueId, lastEventId }, (isLostCommitPossible) =>
    context.store.poll(context.partitionOf(caller.userId), {
      ...options,
      userId: caller.userId,
      isLostCommitPossible,
      graceSeconds: options.replicaId === '' ? 0 : GRACE_SECONDS,
      wantsRecord: !cached,
      limit: MAX_EVENTS,
    }),
  )
  if (answer.status === 'superseded') throw new PollSupersededError()
  if (answer.status === 'stale') {
    if (pendingNumber !== null) throw new PollSupersededError()
    throw badRequest(`Events after ${lastEventId} were acknowledged before, and are gone`)
  }
  // The ID is the reader's own text, which stays in memory anyway.
  const record = cached ?? (answer.record && { ...toRenderedQueue(answer.record), queue_id: queueId })
  if (!record) throw badQueue(queueId)
  if (!cached) context.renderedQueues.set(queueId, record)
  // Stays with the poll: with very many queues, the cache may drop quiet ones before the poll is answered.
  return { ...answer, record }
}

/**
 * Calls the store with an event ID that it may not know yet. Throws BAD_EVENT_QUEUE_ID if there is no such queue, BAD_REQUEST if
 * the event was never in it.
 */
export async function withKnownEvent<A extends { readonly status: 'ok' | 'stale' | 'superseded' }>(
  { caller, context }: Reader,
  { queueId, lastEventId }: { readonly queueId: string; readonly lastEventId: number | undefined },
  callStore: (isLostCommitPossible: boolean) => Promise<A | Missing | UnknownEvent>,
): Promise<A> {
  checkOwnQueue(caller, queueId)
  const offset = positionOf(lastEventId ?? NO_EVENT).offset
  const attempt = async () => {
    const isInLog = offset <= (context.logTail.end() ?? -1)
    const answer = await callStore(isInLog && context.isLostCommitPossible(offset))
    if (answer.status !== 'unknown_event' || isInLog) return answer
    // The event ID is invalid or from a lost log, unless another replica is a moment ahead. The end of the log isn't read before
    // the first attempt: events that other replicas delivered are committed anyway, and the broker may be unavailable.
    return offset <= (await findLogEnd(context.logTail))
      ? callStore(context.isLostCommitPossible(offset))
      : answer
  }
  const waitForRefill = createRefillWait(context)
  let answer = await attempt()
  while (answer.status === 'missing') {
    if (!(await waitForRefill(answer.offset))) throw badQueue(queueId)
    answer = await attempt()
  }
  if (answer.status === 'unknown_event') throw unknownEventError(lastEventId)
  return answer
}

type Missing = Extract<PollAnswer, { readonly status: 'missing' }>
type UnknownEvent = Extract<PollAnswer, { readonly status: 'unknown_event' }>

function unknownEventError(eventId: number | undefined): AppError {
  return badRequest(`An event with ID ${eventId} was never in this queue`)
}
