import { type LinkedStreamEnd, STREAM_WINDOW } from '@tms/contracts'
import type { EventStreamOutput } from '@tms/service-kit'
import type { AnswerFrames } from './answer-frames.ts'

interface Listener {
  /** The client was behind, and has read enough. */
  readonly onDrained: () => void
  /** The stream goes on elsewhere, or has no client any more. */
  readonly onOver: () => void
}

/**
 * The output of a stream at the other end of a link. The gateway says how much its client's connection has taken; beyond a window nothing
 * more is written.
 */
export class LinkedOutput implements EventStreamOutput {
  readonly #number: number
  readonly #frames: AnswerFrames
  readonly #listener: Listener
  #written = 0
  #taken = 0
  #wasOpened = false
  #end: LinkedStreamEnd = 'ended'
  #isOver = false

  constructor(number: number, frames: AnswerFrames, listener: Listener) {
    this.#number = number
    this.#frames = frames
    this.#listener = listener
  }

  get isBehind(): boolean {
    return this.#written - this.#taken >= STREAM_WINDOW
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
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    if (texts.length === 1 && length > STREAM_WINDOW) return this.#leaveLink()
    this.#wasOpened = true
    this.#written += length
    this.#frames.stream(this.#number, texts)
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
    this.#listener.onOver()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#frames.endStream(this.#number, this.#end)
  }

  onTaken(characters: number): void {
    const wasBehind = this.isBehind
    this.#taken += characters
    if (wasBehind && !this.isBehind) this.#listener.onDrained()
  }

  /** Such an event would delay the others. An open stream ends; the next one, which begins with that event, becomes a request. */
  #leaveLink(): void {
    if (this.#wasOpened) this.end()
    else {
      this.#isOver = true
      this.#frames.sendBack(this.#number)
    }
    this.#listener.onOver()
  }
}
