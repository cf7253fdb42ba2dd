import type { AppError, PollError, PollLinkAnswers } from '@tms/contracts'

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
    const answer = [number]
    for (const text of texts) answer.push(this.#positionOf(text))
    this.#answers.push(answer)
    this.#onSent.push(onSent)
    if (this.#length > MAX_FRAME_LENGTH) this.flush()
    else this.#schedule()
  }

  /** Answers a poll with an error. */
  fail(number: number, { code, message, details }: AppError): void {
    this.#errors.push([number, code, message, details])
    this.#schedule()
  }

  /** Has the gateway send a poll as a request. */
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
      errors: this.#errors,
      returned: this.#returned,
      isLeaving: this.#isLeaving,
    }
    const onSent = this.#onSent
    if (head.answers.length + head.errors.length + head.returned.length > 0 || head.isLeaving)
      this.#send([JSON.stringify(head), ...this.#positions.keys()])
    this.#positions = new Map()
    this.#length = 0
    this.#answers = []
    this.#errors = []
    this.#returned = []
    this.#onSent = []
    for (const call of onSent) call()
  }

  #positionOf(text: string): number {
    const known = this.#positions.get(text)
    if (known !== undefined) return known
    const position = this.#positions.size
    this.#positions.set(text, position)
    this.#length += text.length
    return position
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => this.flush())
  }
}
