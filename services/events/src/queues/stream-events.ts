import { AppError, badRequest, type endpoints } from '@tms/contracts'
import { EventStreamAnswer, type EventStreamOutput, type Handler, isTracing } from '@tms/service-kit'
import { NO_EVENT } from '../kernel/event-id.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import type { Context } from './context.ts'
import { EventStream, type StreamEnd, type StreamRead, type StreamSource } from './event-stream.ts'
import { MAX_EVENTS, readQueue } from './read-queue.ts'
import type { Poller } from './waiting-poll.ts'

type StreamEvents = typeof endpoints.events.streamEvents

/** API document, "Stream events from an event queue". */
export const handleStreamEvents: Handler<StreamEvents, Context> = async (request) => {
  const { input, headers } = request
  const { queue_id: queueId, dont_block: endsWhenEmpty = false } = input
  // A browser that connects again repeats the first URL, and says in the header what it has got.
  const lastEventId = parseLastEventId(headers['last-event-id']) ?? input.last_event_id
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const { stream, begin } = await openStream(request, {
    ...{ queueId, lastEventId, endsWhenEmpty },
    listener: { onStreamEnded: end },
  })
  return new EventStreamAnswer(
    async (output) => {
      await begin(output)
      await ended
    },
    () => stream.onDrained(),
  )
}

export interface StreamListener {
  onStreamEnded(): void
}

interface StreamParams {
  readonly queueId: string
  readonly lastEventId: number | undefined
  /** Whether it ends once it waits for events. */
  readonly endsWhenEmpty: boolean
  readonly listener: StreamListener
}

/** A stream whose queue was read. */
export interface OpenedStream {
  /** Writes the events that the queue had, then further ones as they come. Resolves when the first ones were written. */
  begin(output: EventStreamOutput): Promise<void>
  readonly stream: Pick<EventStream, 'onDrained'>
}

/**
 * Streams the events of a queue until the client leaves, the queue ends, or another poll or stream takes over. Throws
 * BAD_EVENT_QUEUE_ID if the caller has no such queue, BAD_REQUEST if it never had the acknowledged event.
 */
export async function openStream(poller: Poller, params: StreamParams): Promise<OpenedStream> {
  const { streams, pollRegistry } = poller.context
  const { queueId, lastEventId, endsWhenEmpty, listener } = params
  const source = new QueueSource(poller, queueId, listener)
  const stream = new EventStream(source, { lastId: lastEventId ?? NO_EVENT, endsWhenEmpty })
  poller.onClosed(() => stream.wake(DISCONNECTED))
  // Before the queue is read, so that no commit in between is missed.
  const pending = pollRegistry.register(queueId, Number.POSITIVE_INFINITY, stream)
  try {
    const first = await source.open(lastEventId)
    pending.setNumber(first.number)
    return {
      stream,
      begin: (output) => {
        streams.add(stream)
        return stream.begin(pending, output, first)
      },
    }
  } catch (err) {
    pending.release()
    throw err
  }
}

const DISCONNECTED = { kind: 'disconnected' } as const

function parseLastEventId(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw badRequest('The header Last-Event-ID has no ID of an event')
  return id
}

/** The queue of one stream. */
class QueueSource implements StreamSource {
  readonly #poller: Poller
  readonly #queueId: string
  readonly #listener: StreamListener
  #record: RenderedQueue | null = null
  #hasFailed = false

  constructor(poller: Poller, queueId: string, listener: StreamListener) {
    this.#poller = poller
    this.#queueId = queueId
    this.#listener = listener
  }

  /** Acknowledges events, takes over from other polls and streams, and reads the queue. */
  open(lastEventId: number | undefined): Promise<StreamRead> {
    return this.#read({ lastEventId, afterId: null, pendingNumber: null })
  }

  read(afterId: number, pendingNumber: number): Promise<StreamRead> {
    return this.#read({ lastEventId: undefined, afterId, pendingNumber })
  }

  async render(eventIds: Parameters<StreamSource['render']>[0], boundaries: StreamRead['boundaries']) {
    const { context, maxAnswerLength } = this.#poller
    if (this.#record === null) throw new Error('the queue was not read')
    return context.events.render(this.#partition, this.#record, eventIds, boundaries, maxAnswerLength)
  }

  renderFromMemory(eventIds: Parameters<StreamSource['render']>[0], boundaries: StreamRead['boundaries']) {
    const { context, maxAnswerLength } = this.#poller
    if (this.#record === null) return null
    return context.events.renderFromMemory(this.#record, eventIds, boundaries, maxAnswerLength)
  }

  isTemporary(err: unknown): boolean {
    const isRefusal = err instanceof AppError && err.status < 500
    const { log } = this.#poller
    // Once for each stream and outage: there may be thousands.
    if (!isRefusal && !this.#hasFailed) log.warn({ err, queueId: this.#queueId }, 'stream could not be read')
    this.#hasFailed = true
    return !isRefusal
  }

  onWritten(
    { eventIds, oldestAt, requestIds }: Parameters<StreamSource['onWritten']>[0],
    wasPending: boolean,
  ): void {
    const { context, log, requestId } = this.#poller
    const queueId = this.#queueId
    if (wasPending && oldestAt !== null) context.deliveryLatency.recordAnswer(oldestAt)
    if (isTracing())
      context.traces.recordDelivery({
        partition: this.#partition,
        queueId,
        eventIds,
        startedAt: context.now(),
      })
    // A line for each would cost more than the delivery.
    log.debug({ requestId, queueId, events: eventIds.length, causedBy: requestIds }, 'events streamed')
  }

  onEnded(stream: EventStream, end: StreamEnd): void {
    const { streams, store } = this.#poller.context
    streams.delete(stream)
    // If that fails, fewer events are joined than could be.
    if (end !== 'superseded') store.clearStream(this.#partition, this.#queueId, stream.number).catch(() => {})
    this.#listener.onStreamEnded()
  }

  get #partition(): number {
    return this.#poller.context.partitionOf(this.#poller.caller.userId)
  }

  async #read(options: {
    readonly lastEventId: number | undefined
    readonly afterId: number | null
    readonly pendingNumber: number | null
  }): Promise<StreamRead> {
    const { replicaId } = this.#poller.context
    const read = { ...options, queueId: this.#queueId, isStream: true, replicaId }
    const { record, number, eventIds, boundaries } = await readQueue(this.#poller, read)
    this.#record = record
    this.#hasFailed = false
    return { number, eventIds, boundaries, isPartial: eventIds.length >= MAX_EVENTS }
  }
}
