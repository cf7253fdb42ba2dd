import type { AppError, LinkedStreamEnd, PollError, PollLinkAnswers } from '@tms/contracts'

/** Characters of events after which a frame is sent: gateways read whole frames. */
const MAX_FRAME_LENGTH = 1024 * 1024

/**
 * Joins the answers of one turn of the event loop into one frame, in which each event is once, however many polls it answers: all
 * clients with the same view of an event get the same text.
 */
export class AnswerFrames {
  readonly #send: (texts: readonly string[]) => void
  #positions = new Map<string, number>()
  #length = 0
  #answers: number[][] = []
  #streamed: number[][] = []
  #ended: [number, LinkedStreamEnd][] = []
  #errors: PollError[] = []
  #returned: number[] = []
  #onSent: (() => void)[] = []
  #isLeaving = false
  #turn: NodeJS.Immediate | undefined

  constructor(send: (texts: readonly string[]) => void) {
    this.#send = send
  }

  /** Answers a poll with these events; then calls `onSent`. */
  add(number: number, texts: readonly string[], onSent: () => void): void {
    this.#answers.push(this.#entryOf(number, texts))
    this.#onSent.push(onSent)
    this.#sendIfLong()
  }

  /** Opens a stream, if that was not done yet, and writes these events to it. */
  stream(number: number, texts: readonly string[]): void {
    this.#streamed.push(this.#entryOf(number, texts))
    this.#sendIfLong()
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
      this.#send([JSON.stringify(head), ...this.#positions.keys()])
    this.#positions = new Map()
    this.#length = 0
    this.#answers = []
    this.#streamed = []
    this.#ended = []
    this.#errors = []
    this.#returned = []
    this.#onSent = []
    for (const call of onSent) call()
  }

  #entryOf(number: number, texts: readonly string[]): number[] {
    const entry = [number]
    for (const text of texts) entry.push(this.#positionOf(text))
    return entry
  }

  #positionOf(text: string): number {
    const known = this.#positions.get(text)
    if (known !== undefined) return known
    const position = this.#positions.size
    this.#positions.set(text, position)
    this.#length += text.length
    return position
  }

  #sendIfLong(): void {
    if (this.#length > MAX_FRAME_LENGTH) this.flush()
    else this.#schedule()
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => this.flush())
  }
}
