import { type EventStreamOutput, PROCESSING_MS } from '@tms/service-kit'
import type { DeliveryBoundaries } from '../redis/delivery-boundaries.ts'
import { JOIN_NOTHING } from './coalesce.ts'
import type { RenderedEvents } from './event-reader.ts'
import type { PendingPoll, WaitingReader, WakeReason } from './pending-polls.ts'
import { PollSupersededError } from './read-queue.ts'

/** Committed events to keep for a client that is being written to; with more, the queue is read. */
const MAX_KNOWN = 2_000
/** A read that failed is repeated after this, and then after longer and longer times; at random, so that streams don't all read at once. */
const RETRY_MS = { first: 1_000, longest: 30_000 } as const
/** Less than `GRACE_SECONDS`, within which the queue must be read so that it doesn't expire. */
const REREAD_MS = 45_000
/** A client that has read nothing for so long is cut off. Too small cuts off phones that change their network. */
const BEHIND_MS = 30_000

/** What a read of the queue found. */
export interface StreamRead {
  readonly number: number
  readonly eventIds: readonly number[]
  readonly boundaries: DeliveryBoundaries
  /** Whether there may be more events after these. */
  readonly isPartial: boolean
}

/** The queue of a stream. */
export interface StreamSource {
  /** Reads the events after one. Rejects with `PollSupersededError` if another poll or stream has taken over. */
  read(afterId: number, pendingNumber: number): Promise<StreamRead>
  render(eventIds: readonly number[], boundaries: DeliveryBoundaries): Promise<RenderedEvents>
  /** As `render`; null if that takes Redis. */
  renderFromMemory(eventIds: readonly number[], boundaries: DeliveryBoundaries): RenderedEvents | null
  /** Whether a failed read is worth repeating. */
  isTemporary(err: unknown): boolean
  /** Called after events were written. */
  onWritten(rendered: RenderedEvents, wasPending: boolean): void
  /** Called once. */
  onEnded(stream: EventStream, end: StreamEnd): void
}

/** Why a stream ended. */
export type StreamEnd = 'superseded' | 'disconnected' | 'stopped' | 'failed'

const NONE: readonly number[] = []

/**
 * Writes the events of a queue as they are committed, each once and in order. Events that a commit's message brings aren't read
 * from Redis; the queue is read at the start, when messages may have been missed, and when the client was behind. A class,
 * because there are as many as clients.
 */
export class EventStream implements WaitingReader {
  readonly #source: StreamSource
  readonly #endsWhenEmpty: boolean
  /** Both are null until `begin`. */
  #pending: PendingPoll | null = null
  #output: EventStreamOutput | null = null
  #number = 0
  /** The last event written or acknowledged. */
  #lastId: number
  /** Committed events to write next: all that follow `#lastId` and were committed so far, unless the queue must be read. */
  #knownIds = NONE
  #mustRead = false
  #isWriting = false
  /** Whether it is about to write, once all commits of this moment are known. */
  #isScheduled = false
  #end: StreamEnd | null = null
  #retryTimer: NodeJS.Timeout | undefined
  /** Values of `performance.now()`. */
  #writtenAt = performance.now()
  #readAt = performance.now()
  #behindSince: number | null = null
  /** What the client's connection had taken then. */
  #taken = 0
  #failures = 0

  /** `lastId` is the last event that the client has. With `endsWhenEmpty` the stream ends once it waits for events. */
  constructor(
    source: StreamSource,
    { lastId, endsWhenEmpty }: { readonly lastId: number; readonly endsWhenEmpty: boolean },
  ) {
    this.#source = source
    this.#lastId = lastId
    this.#endsWhenEmpty = endsWhenEmpty
  }

  /** Number of the last read. */
  get number(): number {
    return this.#number
  }

  /** Writes what the first read found, then what is committed. */
  async begin(pending: PendingPoll, output: EventStreamOutput, first: StreamRead): Promise<void> {
    this.#output = output
    this.#number = first.number
    this.#isWriting = true
    await this.#attempt(() => this.#writeRead(first))
    this.#pending = pending
    this.#isWriting = false
    await this.#continue()
  }

  wake(reason: WakeReason): boolean {
    if (reason.kind === 'events') {
      this.#learn(reason.eventIds)
      this.#continueSoon()
      return true
    }
    if (reason.kind === 'read') {
      this.#mustRead = true
      // What failed may work again.
      clearTimeout(this.#retryTimer)
      this.#retryTimer = undefined
    } else this.#end ??= reason.kind === 'end' ? 'stopped' : reason.kind
    void this.#continue()
    return true
  }

  /** The client has read what was written. */
  onDrained(): void {
    this.#behindSince = null
    void this.#continue()
  }

  /** Call now and then. Keeps the connection and the queue alive, and cuts off a client that is behind for too long. */
  keep(now: number): void {
    const output = this.#output
    if (output === null) return
    if (output.isBehind) {
      if (output.taken !== this.#taken) this.#behindSince = now
      this.#taken = output.taken
      this.#behindSince ??= now
      if (now - this.#behindSince >= BEHIND_MS) output.destroy()
      return
    }
    this.#behindSince = null
    if (now - this.#writtenAt >= PROCESSING_MS) {
      output.writeComment()
      this.#writtenAt = now
    }
    if (now - this.#readAt < REREAD_MS) return
    this.#mustRead = true
    void this.#continue()
  }

  /** Whether `#continue`, which takes promises, would do nothing. */
  get #hasNothingToDo(): boolean {
    return this.#end === null && !this.#mustRead && this.#knownIds.length === 0 && !this.#endsWhenEmpty
  }

  #learn(eventIds: readonly number[]): void {
    // The read that is due finds them.
    if (this.#mustRead) return
    if (this.#knownIds.length + eventIds.length > MAX_KNOWN) this.#mustRead = true
    else this.#knownIds = this.#knownIds.length === 0 ? eventIds : [...this.#knownIds, ...eventIds]
  }

  /** What is committed at the same moment is written together. */
  #continueSoon(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#writeFromMemory()
      if (!this.#hasNothingToDo) void this.#continue()
    })
  }

  /** Writes what is known if that takes no more than memory, as almost always: without the promises of `#continue`, which cost as much. */
  #writeFromMemory(): void {
    if (this.#isWriting || this.#pending === null || this.#mustRead || this.#end !== null) return
    if (!this.#output?.mayWrite) return
    const newIds = this.#knownIds.filter((id) => id > this.#lastId)
    const lastId = newIds.at(-1)
    if (lastId === undefined) return
    try {
      const rendered = this.#source.renderFromMemory(newIds, JOIN_NOTHING)
      if (rendered === null) return
      this.#knownIds = NONE
      this.#put(this.#output, rendered, { lastId, wasPending: true })
    } catch (err) {
      this.#fail(err)
    }
  }

  /** Writes all that is known, unless that is under way already. */
  async #continue(): Promise<void> {
    if (this.#isWriting || this.#pending === null) return
    this.#isWriting = true
    await this.#attempt(async () => {
      while (this.#end === null && this.#output?.mayWrite === true) {
        if (this.#mustRead && this.#retryTimer !== undefined) break
        if (this.#mustRead) await this.#read()
        else if (this.#knownIds.length > 0) await this.#writeKnown()
        else if (this.#endsWhenEmpty) this.#end = 'stopped'
        else break
      }
    })
    this.#isWriting = false
    if (this.#end !== null) this.#finish(this.#end)
  }

  async #writeKnown(): Promise<void> {
    const eventIds = this.#knownIds
    this.#knownIds = NONE
    await this.#write(eventIds, JOIN_NOTHING, true)
  }

  async #read(): Promise<void> {
    this.#mustRead = false
    this.#knownIds = NONE
    this.#readAt = performance.now()
    const read = await this.#source.read(this.#lastId, this.#number)
    this.#number = read.number
    this.#pending?.setNumber(read.number)
    await this.#writeRead(read)
  }

  async #writeRead({ eventIds, boundaries, isPartial }: StreamRead): Promise<void> {
    const lastId = this.#lastId
    if (isPartial) this.#mustRead = true
    await this.#write(eventIds, boundaries, false)
    this.#failures = 0
    // Redis lost what was written last, and has yet to get it back: the same read would find the same.
    if (isPartial && this.#lastId === lastId && this.#output?.mayWrite) this.#retry()
  }

  async #write(
    eventIds: readonly number[],
    boundaries: DeliveryBoundaries,
    wasPending: boolean,
  ): Promise<void> {
    const newIds = eventIds.filter((id) => id > this.#lastId)
    const lastId = newIds.at(-1)
    if (lastId === undefined) return
    const rendered = await this.#source.render(newIds, boundaries)
    // Others have written meanwhile to what it shares with them: it reads again when there is room.
    if (this.#output?.mayWrite) this.#put(this.#output, rendered, { lastId, wasPending })
    else this.#mustRead = true
  }

  /** Writes what was rendered of events up to `lastId`. */
  #put(
    output: EventStreamOutput,
    rendered: RenderedEvents,
    { lastId, wasPending }: { readonly lastId: number; readonly wasPending: boolean },
  ): void {
    output.writeEvents(rendered.texts)
    this.#writtenAt = performance.now()
    this.#lastId = rendered.eventIds.at(-1) ?? lastId
    // Not all fitted: the rest is read when the client has got these.
    if (this.#lastId < lastId) this.#mustRead = true
    this.#source.onWritten(rendered, wasPending)
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (err) {
      this.#fail(err)
    }
  }

  #fail(err: unknown): void {
    // Perhaps it is only its own earlier read whose answer was lost, so nothing is said of another reader.
    if (err instanceof PollSupersededError) this.#end ??= 'stopped'
    else if (this.#source.isTemporary(err)) this.#retry()
    else this.#end ??= 'failed'
  }

  #retry(): void {
    this.#mustRead = true
    if (this.#retryTimer !== undefined) return
    const longest = Math.min(RETRY_MS.longest, RETRY_MS.first * 2 ** this.#failures++)
    this.#retryTimer = setTimeout(
      () => {
        this.#retryTimer = undefined
        void this.#continue()
      },
      longest * (0.5 + Math.random() / 2),
    )
  }

  #finish(end: StreamEnd): void {
    clearTimeout(this.#retryTimer)
    // First: the rest may wake the stream, which would finish it again.
    this.#pending?.release()
    this.#pending = null
    if (this.#output?.mayEnd === false) this.#output.destroy()
    else if (end === 'superseded') this.#output?.writeSuperseded()
    this.#source.onEnded(this, end)
  }
}
