import type { PollLinkAnswers } from '@tms/contracts'

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
  #returned: number[] = []
  #isLeaving = false
  #turn: NodeJS.Immediate | undefined

  constructor(send: (texts: readonly string[]) => void) {
    this.#send = send
  }

  /** Answers a poll with these events. */
  add(number: number, texts: readonly string[]): void {
    const answer = [number]
    for (const text of texts) answer.push(this.#positionOf(text))
    this.#answers.push(answer)
    if (this.#length > MAX_FRAME_LENGTH) this.flush()
    else this.#schedule()
  }

  /** Has the gateway send a poll as a request. */
  return(number: number): void {
    this.#returned.push(number)
    this.#schedule()
  }

  leave(): void {
    this.#isLeaving = true
    this.#schedule()
  }

  /** Sends what is waiting now. */
  flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    if (this.#answers.length + this.#returned.length === 0 && !this.#isLeaving) return
    const head: PollLinkAnswers = {
      answers: this.#answers,
      returned: this.#returned,
      isLeaving: this.#isLeaving,
    }
    this.#send([JSON.stringify(head), ...this.#positions.keys()])
    this.#positions = new Map()
    this.#length = 0
    this.#answers = []
    this.#returned = []
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
