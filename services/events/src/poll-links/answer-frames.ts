import type { AppError, LinkedStreamEnd, PollError, PollLinkAnswers } from '@tms/contracts'

/** Characters of events after which a frame is sent: gateways read whole frames. */
const MAX_FRAME_LENGTH = 1024 * 1024
/**
 * Polls and streams after which a frame is sent, so that the gateway writes to the first while events goes on to the others. Fewer make
 * frames that cost more than that gains; with more, the gateway idles meanwhile.
 */
const MAX_FRAME_ANSWERS = 50
/** Characters of events that the next frame may repeat, if none is large. With more, more answers share a frame. */
const MAX_REPEATED_LENGTH = 16 * 1024
/** Bytes of a frame's large events, besides: enough for all forms of one, so that each is once. Frames of 8 MB are refused. */
const MAX_LARGE_FRAME_BYTES = 4 * 1024 * 1024
/** Bytes of large events that streams of a link have yet to take: the gateway keeps them until then. */
const MAX_LARGE_BYTES = 8 * 1024 * 1024
/** With so many bytes to send, streams wait. Frames that are being made come on top of it. */
const CONGESTED_BYTES = 4 * 1024 * 1024

/** A text of a frame. */
interface FramedText {
  readonly position: number
  readonly bytes: number
}

/** A large event in one frame, of which the gateway makes one buffer for all streams that get it. */
export interface LargeText extends FramedText {
  /** Streams that have yet to take it. */
  holders: number
}

/** What answers and streams are sent over. */
interface FrameSender {
  readonly send: (texts: readonly string[]) => void
  readonly unsentBytes: () => number
}

/**
 * Joins the answers of one turn of the event loop into a frame, or a few, in which each event is once, however many polls it answers: all
 * clients with the same view of an event get the same text.
 */
export class AnswerFrames {
  readonly #sender: FrameSender
  #texts = new Map<string, FramedText>()
  #large = new Map<string, LargeText>()
  #length = 0
  #largeBytesOfFrame = 0
  #largeBytes = 0
  #answers: number[][] = []
  #streamed: number[][] = []
  #ended: [number, LinkedStreamEnd][] = []
  #errors: PollError[] = []
  #returned: number[] = []
  #onSent: (() => void)[] = []
  #isLeaving = false
  #turn: NodeJS.Immediate | undefined

  constructor(sender: FrameSender) {
    this.#sender = sender
  }

  /** Whether the gateway has so much to read that streams must wait. */
  get isCongested(): boolean {
    return this.#sender.unsentBytes() > CONGESTED_BYTES
  }

  /** Answers a poll with these events; then calls `onSent`. */
  add(number: number, texts: readonly string[], onSent: () => void): void {
    this.#answers.push([number, ...texts.map((text) => this.#framed(text).position)])
    this.#onSent.push(onSent)
    this.#sendIfFull()
  }

  /** Opens a stream, if that was not done yet, and writes these events to it. Returns how many bytes they have. */
  stream(number: number, texts: readonly string[]): number {
    const framed = texts.map((text) => this.#framed(text))
    this.#streamed.push([number, ...framed.map(({ position }) => position)])
    // One that only opens may end right after.
    if (texts.length > 0) this.#sendIfFull()
    else this.#schedule()
    return framed.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * As `stream`, for one event that has so many bytes that it has to be released once the client has taken it. Returns null, and does
   * nothing, if too much is under way.
   */
  streamLarge(number: number, text: string, bytes: number): LargeText | null {
    let large = this.#large.get(text)
    if (large === undefined) {
      if (this.#largeBytes + bytes > MAX_LARGE_BYTES) return null
      if (this.#largeBytesOfFrame + bytes > MAX_LARGE_FRAME_BYTES) this.flush()
      large = { position: this.#addText(text, bytes), bytes, holders: 0 }
      this.#large.set(text, large)
      this.#largeBytesOfFrame += bytes
    }
    if (large.holders++ === 0) this.#largeBytes += bytes
    this.#streamed.push([number, large.position])
    this.#schedule()
    return large
  }

  /** A client has taken a large event, or has left. */
  releaseLarge(large: LargeText): void {
    if (--large.holders === 0) this.#largeBytes -= large.bytes
  }

  /** Ends a stream, after what was written to it. */
  endStream(number: number, end: LinkedStreamEnd): void {
    this.#ended.push([number, end])
    this.#schedule()
  }

  /** Answers a poll, or a stream that wasn't opened, with an error. */
  fail(number: number, { code, message, details }: AppError): void {
    this.#errors.push([number, code, message, details])
    this.#schedule()
  }

  /** Has the gateway send a poll, or a stream that wasn't opened, as a request. */
  sendBack(number: number): void {
    this.#returned.push(number)
    this.#schedule()
  }

  /** Says that this replica is about to stop. */
  announceLeaving(): void {
    this.#isLeaving = true
    this.#schedule()
  }

  /** Sends what is waiting now. */
  flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    const head: PollLinkAnswers = {
      answers: this.#answers,
      streamed: this.#streamed,
      ended: this.#ended,
      errors: this.#errors,
      returned: this.#returned,
      isLeaving: this.#isLeaving,
    }
    const onSent = this.#onSent
    const { answers, streamed, ended, errors, returned } = head
    if ([answers, streamed, ended, errors, returned].some(({ length }) => length > 0) || head.isLeaving)
      this.#sender.send([JSON.stringify(head), ...this.#texts.keys()])
    this.#texts = new Map()
    this.#large = new Map()
    this.#length = 0
    this.#largeBytesOfFrame = 0
    this.#answers = []
    this.#streamed = []
    this.#ended = []
    this.#errors = []
    this.#returned = []
    this.#onSent = []
    for (const call of onSent) call()
  }

  #framed(text: string): FramedText {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const bytes = Buffer.byteLength(text)
    const framed = { position: this.#addText(text, bytes), bytes }
    this.#length += text.length
    return framed
  }

  #addText(text: string, bytes: number): number {
    const known = this.#texts.get(text)
    if (known !== undefined) return known.position
    const position = this.#texts.size
    this.#texts.set(text, { position, bytes })
    return position
  }

  #sendIfFull(): void {
    const answers = this.#answers.length + this.#streamed.length
    const mayBeRepeated = this.#large.size === 0 && this.#length <= MAX_REPEATED_LENGTH
    if ((answers >= MAX_FRAME_ANSWERS && mayBeRepeated) || this.#length > MAX_FRAME_LENGTH) this.flush()
    else this.#schedule()
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => this.flush())
  }
}
