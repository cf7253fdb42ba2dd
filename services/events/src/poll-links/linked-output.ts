import { type LinkedStreamEnd, STREAM_WINDOW } from '@tms/contracts'
import type { EventStreamOutput } from '@tms/service-kit'
import type { AnswerFrames, LargeText } from './answer-frames.ts'

/** Bytes of the largest event for a link. A larger one is written at its client's pace, by a request. */
const MAX_LINKED_EVENT = 1024 * 1024

/** The two sides of an output. */
interface Sides {
  /** Called when the client was behind, and has read enough. */
  readonly stream: { onDrained(): void }
  /** Closed when the stream goes on elsewhere, or has no client any more. */
  readonly client: { close(): void }
}

type Large = readonly [text: LargeText, takenAt: number]
const NONE: readonly Large[] = []

/**
 * The output of a stream at the other end of a link. The gateway says how much its client's connection has taken; beyond a window nothing
 * more is written.
 */
export class LinkedOutput implements EventStreamOutput {
  readonly #number: number
  readonly #frames: AnswerFrames
  readonly #stream: Sides['stream']
  readonly #client: Sides['client']
  #written = 0
  #taken = 0
  /** Large events that the client has yet to take, each with how much it will have taken then. */
  #large = NONE
  #wasOpened = false
  #end: LinkedStreamEnd = 'ended'
  #isOver = false

  constructor(number: number, frames: AnswerFrames, { stream, client }: Sides) {
    this.#number = number
    this.#frames = frames
    this.#stream = stream
    this.#client = client
  }

  get isBehind(): boolean {
    return this.#written - this.#taken >= STREAM_WINDOW
  }

  get mayWrite(): boolean {
    return !this.isBehind && !this.#frames.isCongested
  }

  /** The gateway gives its client time for the rest. Not for large events: it would keep too many of them. */
  get mayEnd(): boolean {
    return this.#large.length === 0
  }

  /** Whether the gateway knows that the stream has begun. */
  get wasOpened(): boolean {
    return this.#wasOpened
  }

  get taken(): number {
    return this.#taken
  }

  writeEvents(texts: readonly string[]): void {
    if (this.#isOver) return
    const [first = ''] = texts
    // No text has more bytes than three for each character.
    const bytes = texts.length === 1 && first.length > STREAM_WINDOW / 3 ? Buffer.byteLength(first) : 0
    if (bytes > STREAM_WINDOW) return this.#writeLarge(first, bytes)
    this.#wasOpened = true
    this.#written += this.#frames.stream(this.#number, texts)
  }

  /** The link shows by itself that it is alive, and the gateway writes what its client needs. */
  writeComment(): void {}

  writeSuperseded(): void {
    this.#end = 'superseded'
  }

  /** Tells the gateway that the queue was read, if nothing was written yet. */
  open(): void {
    if (!this.#wasOpened) this.writeEvents([])
  }

  /** The client doesn't read. */
  destroy(): void {
    this.#end = 'cut_off'
    this.end()
    this.#client.close()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#frames.endStream(this.#number, this.#end)
  }

  onTaken(bytes: number): void {
    const wasBehind = this.isBehind
    this.#taken += bytes
    this.#releaseLarge(this.#taken)
    if (wasBehind && this.mayWrite) this.#stream.onDrained()
  }

  /** The gateway has read what was under way on the link. */
  onLinkDrained(): void {
    if (!this.#isOver && this.mayWrite) this.#stream.onDrained()
  }

  /** Call when the client has left, or the stream has ended. */
  release(): void {
    this.#releaseLarge(Number.POSITIVE_INFINITY)
  }

  #writeLarge(text: string, bytes: number): void {
    const large = bytes > MAX_LINKED_EVENT ? null : this.#frames.streamLarge(this.#number, text, bytes)
    if (large === null) return this.#leaveLink()
    this.#wasOpened = true
    this.#written += bytes
    this.#large = [...this.#large, [large, this.#written]]
  }

  #releaseLarge(taken: number): void {
    while (this.#large[0] && this.#large[0][1] <= taken) {
      this.#frames.releaseLarge(this.#large[0][0])
      this.#large = this.#large.length === 1 ? NONE : this.#large.slice(1)
    }
  }

  /**
   * Such an event would delay the others, or too many are under way. An open stream ends; the next one, which begins with that event,
   * becomes a request if it is still so.
   */
  #leaveLink(): void {
    if (!this.mayEnd) return this.destroy()
    if (this.#wasOpened) this.end()
    else {
      this.#isOver = true
      this.#frames.sendBack(this.#number)
    }
    this.#client.close()
  }
}
