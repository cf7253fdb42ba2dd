import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError, queueTiming } from '@tms/contracts'
import { type Caller, isTracing, type Request } from '@tms/service-kit'
import { heartbeatIdOf, NO_EVENT } from '../kernel/event-id.ts'
import type { QueueContent } from '../redis/partition-store.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import { JOIN_NOTHING } from './coalesce.ts'
import type { Context } from './context.ts'
import type { PendingPoll, WaitingReader, WakeReason } from './pending-polls.ts'
import { PollSupersededError, readQueue } from './read-queue.ts'

/** Who polls. */
export interface Poller extends Pick<Request<never, Context>, 'context' | 'log' | 'requestId'> {
  readonly caller: Caller
  /** Characters of an answer, unless its first event alone has more; by default those of a request. */
  readonly maxAnswerLength?: number
  /** Calls the listener when the client has left or was answered. */
  onClosed(listener: () => void): void
}

export interface PollParams {
  readonly queueId: string
  readonly lastEventId: number | undefined
  readonly dontBlock: boolean
}

/** What becomes of a poll: one of these is called, once, or `onFailed` after an `onAnswered` that threw. */
export interface PollListener {
  /** With events, each as JSON. */
  onAnswered(texts: readonly string[]): void
  onFailed(err: unknown): void
}

/**
 * Waits for events of a queue. Answers without events if another poll took over or the client has left, and with a heartbeat
 * after a minute at most. Fails as `readQueue` does.
 */
export function startPoll(poller: Poller, params: PollParams, listener: PollListener): void {
  new WaitingPoll(poller, params, listener).start()
}

/** What a poll is answered with. */
type Answer = readonly string[]

const NOTHING: Answer = []
const DISCONNECTED: WakeReason = { kind: 'disconnected' }

type Run = <T>(work: () => T) => T
const runDirectly: Run = (work) => work()

/** A class rather than a function that waits, because there are as many as clients. */
class WaitingPoll implements WaitingReader {
  readonly #poller: Poller
  readonly #params: PollParams
  readonly #listener: PollListener
  readonly #deadline: number
  /** In the span that the poll began in. */
  readonly #run: Run = isTracing() ? AsyncLocalStorage.snapshot() : runDirectly
  /** Registered from before a read until the answer; null for a read after which the poll won't wait. */
  #pending: PendingPoll | null = null
  /** This poll's number while it is pending. */
  #pendingNumber: number | null = null
  #record: RenderedQueue | null = null
  /** The first reason since the last read began. */
  #wakeReason: WakeReason | null = null
  #isWaiting = false
  #hasDisconnected = false

  constructor(poller: Poller, params: PollParams, listener: PollListener) {
    this.#poller = poller
    this.#params = params
    this.#listener = listener
    this.#deadline =
      poller.context.now() + queueTiming.heartbeatMinMs + Math.random() * queueTiming.heartbeatSpreadMs
  }

  start(): void {
    this.#poller.onClosed(() => {
      this.#hasDisconnected = true
      if (this.#isWaiting) this.wake(DISCONNECTED)
    })
    void this.#attempt(() => this.#read())
  }

  wake(reason: WakeReason): boolean {
    if (this.#wakeReason !== null) return false
    this.#wakeReason = reason
    if (this.#isWaiting)
      void this.#run(() => this.#attempt(async () => (await this.#answerWoken(reason)) ?? this.#read()))
    return true
  }

  /** Answers the poll with what `work` finds; null if it waits. */
  async #attempt(work: () => Promise<Answer | null>): Promise<void> {
    this.#isWaiting = false
    try {
      const answer = await work().catch(answerSuperseded)
      if (answer === null) return
      this.#release()
      this.#listener.onAnswered(answer)
    } catch (err) {
      this.#release()
      this.#fail(err)
    }
  }

  #fail(err: unknown): void {
    try {
      this.#listener.onFailed(err)
    } catch (cause) {
      const { log, requestId } = this.#poller
      log.error({ err: cause, requestId }, 'poll could not be answered')
    }
  }

  /** Reads the queue until it has events, or this poll may wait for them; then returns null. */
  async #read(): Promise<Answer | null> {
    const { context } = this.#poller
    const { queueId, lastEventId, dontBlock } = this.#params
    for (;;) {
      const isLastRead = context.now() >= this.#deadline
      this.#release()
      this.#wakeReason = null
      // Registered before the queue is read, so that no commit in between is missed.
      this.#pending =
        dontBlock || isLastRead ? null : context.pollRegistry.register(queueId, this.#deadline, this)
      const content = await readQueue(this.#poller, {
        ...{ queueId, lastEventId, afterId: null, isStream: false },
        replicaId: this.#pending === null ? '' : context.replicaId,
        pendingNumber: this.#pendingNumber,
      })
      if (content.eventIds.length === 0 && isLastRead) return heartbeatOf(lastEventId, content.offset)
      this.#pending?.setNumber(content.number)
      if (content.eventIds.length > 0 || this.#pending === null)
        return this.#render(content, this.#pendingNumber !== null)
      this.#pendingNumber = content.number
      this.#record = content.record
      const reason = this.#wakeReasonSoFar()
      if (reason === null) {
        this.#isWaiting = true
        return null
      }
      const answer = await this.#answerWoken(reason)
      if (answer !== null) return answer
    }
  }

  #wakeReasonSoFar(): WakeReason | null {
    if (this.#hasDisconnected) this.#wakeReason ??= DISCONNECTED
    return this.#wakeReason
  }

  /** Null if the queue must be read again. */
  async #answerWoken(reason: WakeReason): Promise<Answer | null> {
    switch (reason.kind) {
      case 'disconnected':
        await this.#clear()
        return NOTHING
      case 'superseded':
        // If another poll is pending here, the record in Redis must stay even with this poll's number: the poll whose read was
        // answered last is the pending one, and its number may be the lower one.
        if (!reason.isPendingHere) await this.#clear()
        return NOTHING
      case 'end':
        return this.#answerAtOnce()
      case 'read':
        return null
      case 'events': {
        // The queue was empty, so the events of this commit are all that it contains.
        const eventIds = reason.eventIds.filter((id) => id > (this.#params.lastEventId ?? NO_EVENT))
        if (eventIds.length === 0 || this.#record === null) return null
        return this.#render({ record: this.#record, eventIds, boundaries: JOIN_NOTHING }, true)
      }
    }
  }

  /** Answers a poll that can't wait any longer. If the queue was deleted, returns no events: the next poll gets the error. */
  async #answerAtOnce(): Promise<Answer> {
    const { queueId, lastEventId } = this.#params
    const read = { queueId, lastEventId, afterId: null, isStream: false, replicaId: '' }
    try {
      const content = await readQueue(this.#poller, { ...read, pendingNumber: this.#pendingNumber })
      return await this.#render(content, true)
    } catch (err) {
      if (err instanceof AppError && err.code === 'BAD_EVENT_QUEUE_ID') return NOTHING
      throw err
    }
  }

  /** `wasPending`: the poll had found its queue empty, so it was pending when these events were committed to the queue. */
  async #render({ record, eventIds, boundaries }: RenderedContent, wasPending: boolean): Promise<Answer> {
    const { caller, context, log, requestId, maxAnswerLength } = this.#poller
    const { queueId } = this.#params
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
        {
          requestId,
          queueId,
          events: texts.length,
          wasPending,
          oldestMs,
          causedBy: [...new Set(requestIds)],
        },
        'events delivered',
      )
    }
    // Many polls are answered at once, one after the other: each is measured when its own answer was written.
    if (wasPending && oldestAt !== null) {
      this.#poller.onClosed(() => context.deliveryLatency.recordAnswer(oldestAt))
    }
    return texts
  }

  #release(): void {
    this.#pending?.release()
    this.#pending = null
  }

  /** Records that this poll ended without returning events. If that fails, fewer events are joined than could be. */
  async #clear(): Promise<void> {
    const { caller, context } = this.#poller
    const partition = context.partitionOf(caller.userId)
    await context.store
      .clearPendingPoll(partition, this.#params.queueId, this.#pendingNumber ?? 0)
      .catch(() => {})
  }
}

interface RenderedContent extends Pick<QueueContent, 'eventIds' | 'boundaries'> {
  readonly record: RenderedQueue
}

function answerSuperseded(err: unknown): Answer {
  if (err instanceof PollSupersededError) return NOTHING
  throw err
}

function heartbeatOf(lastEventId: number | undefined, committedOffset: number): Answer {
  const id = heartbeatIdOf(lastEventId ?? NO_EVENT, committedOffset)
  return [`{"id":${id},"type":"heartbeat"}`]
}
