import type { RequestLinkAnswers } from '@tms/contracts'
import type { LinkedAnswer } from './linked-answer.ts'

/** Characters of bodies after which a frame is sent: gateways read whole frames. */
const MAX_FRAME_LENGTH = 1024 * 1024
/** With so many bytes to send, answers wait: a gateway that has more to read is taken for hanging. */
const CONGESTED_BYTES = 4 * 1024 * 1024

/** What frames are sent over. */
interface FrameSender {
  readonly send: (texts: readonly string[]) => void
  readonly unsentBytes: () => number
}

/** Joins the answers of one turn of the event loop into one frame, which is one write. */
export class AnswerFrames {
  readonly #sender: FrameSender
  #ready: LinkedAnswer[] = []
  #broken: number[] = []
  #isLeaving = false
  #hasNews = false
  #turn: NodeJS.Immediate | undefined

  constructor(sender: FrameSender) {
    this.#sender = sender
  }

  /** A part of the answer is there to be sent. */
  add(answer: LinkedAnswer): void {
    this.#ready.push(answer)
    this.#schedule()
  }

  addBroken(number: number): void {
    this.#broken.push(number)
    this.#schedule()
  }

  /** Says that this replica is about to stop. */
  announceLeaving(): void {
    this.#isLeaving = true
    this.#hasNews = true
    this.#schedule()
  }

  /** Sends what is waiting, as far as the gateway reads. Call when it has read. */
  flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    while (this.#ready.length + this.#broken.length > 0 || this.#hasNews) {
      if (this.#sender.unsentBytes() > CONGESTED_BYTES) return
      this.#sendFrame()
    }
  }

  #sendFrame(): void {
    const answers: RequestLinkAnswers['answers'][number][] = []
    const parts: RequestLinkAnswers['parts'][number][] = []
    const firstTexts: string[] = []
    const furtherTexts: string[] = []
    const sent: LinkedAnswer[] = []
    let length = 0
    let taken = 0
    for (; taken < this.#ready.length && length < MAX_FRAME_LENGTH; taken++) {
      const answer = this.#ready[taken]
      if (!answer || answer.destroyed) continue
      const { text, isFirst, isLast } = answer.takePart()
      length += text.length
      if (isLast) sent.push(answer)
      if (isFirst) {
        answers.push([answer.number, answer.statusCode, answer.headers, isLast])
        firstTexts.push(text)
      } else {
        parts.push([answer.number, isLast])
        furtherTexts.push(text)
      }
    }
    this.#ready = taken === this.#ready.length ? [] : this.#ready.slice(taken)
    const broken = this.#broken
    this.#broken = []
    this.#hasNews = false
    const head: RequestLinkAnswers = { answers, parts, broken, isLeaving: this.#isLeaving }
    this.#sender.send([JSON.stringify(head), ...firstTexts, ...furtherTexts])
    for (const answer of sent) answer.close()
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => this.flush())
  }
}
