import { AppError, endpoints } from '@tms/contracts'
import { asAppError, type Caller, type Logger, type requestDurationsOf } from '@tms/service-kit'
import type { Context } from '../queues/context.ts'
import { openStream, type StreamListener } from '../queues/stream-events.ts'
import { type Poller, type PollListener, startPoll } from '../queues/waiting-poll.ts'
import type { AnswerFrames } from './answer-frames.ts'
import { LinkedOutput } from './linked-output.ts'

/** Characters of an answer. Its client polls again at once for what is left. */
const MAX_LINKED_LENGTH = 64 * 1024

const POLL = endpoints.events.getEvents.name
const STREAM = endpoints.events.streamEvents.name

/** The link that polls come over. */
export interface ServingLink {
  readonly context: Context
  readonly log: Logger
  readonly durations: ReturnType<typeof requestDurationsOf>
  readonly answers: AnswerFrames
  /** Called once for each poll, when nothing more will be sent for it. */
  readonly onDone: (number: number) => void
}

interface ServedParams {
  readonly number: number
  readonly caller: Caller
  readonly requestId: string
}

interface ReaderParams {
  readonly queueId: string
  readonly lastEventId: number | undefined
}

/** A poll or a stream that came over a link. A class with few fields, because there are as many as clients. */
export class ServedPoll implements Poller, PollListener, StreamListener {
  readonly number: number
  readonly caller: Caller
  readonly requestId: string
  readonly maxAnswerLength = MAX_LINKED_LENGTH
  readonly #link: ServingLink
  readonly #startedAt = performance.now()
  /** Of a stream whose queue was read. */
  #output: LinkedOutput | null = null
  #onClosed: (() => void) | null = null
  #isClosed = false

  constructor(link: ServingLink, { number, caller, requestId }: ServedParams) {
    this.#link = link
    this.number = number
    this.caller = caller
    this.requestId = requestId
  }

  get context(): Context {
    return this.#link.context
  }

  get log(): Logger {
    return this.#link.log
  }

  get output(): LinkedOutput | null {
    return this.#output
  }

  /** Answers it once its queue has events. */
  poll({ queueId, lastEventId }: ReaderParams): void {
    startPoll(this, { queueId, lastEventId, dontBlock: false }, this)
  }

  /** Streams the events of its queue. */
  async stream(params: ReaderParams): Promise<void> {
    try {
      const { stream, begin } = await openStream(this, { ...params, endsWhenEmpty: false, listener: this })
      const output = new LinkedOutput(this.number, this.#link.answers, { stream, client: this })
      this.#output = output
      await begin(output)
      output.open()
    } catch (err) {
      this.#fail(STREAM, err)
    }
  }

  onAnswered(texts: readonly string[]): void {
    const { answers, onDone } = this.#link
    if (!this.#isClosed) {
      const [first = ''] = texts
      // It would delay the others, and must go to its client at the client's pace.
      if (texts.length === 1 && first.length > MAX_LINKED_LENGTH) {
        this.close()
        answers.sendBack(this.number)
      } else {
        answers.add(this.number, texts, () => this.close())
        this.#report(POLL, 200)
      }
    }
    onDone(this.number)
  }

  onFailed(err: unknown): void {
    this.#fail(POLL, err)
  }

  onStreamEnded(): void {
    const output = this.#output
    try {
      output?.open()
      // Before the frame is sent, the client may have left.
      if (!this.#isClosed) output?.end()
      this.close()
      output?.release()
      if (output?.wasOpened) this.#report(STREAM, 200)
    } catch (err) {
      this.log.error({ err, requestId: this.requestId }, 'stream could not be ended')
    }
    this.#link.onDone(this.number)
  }

  onClosed(listener: () => void): void {
    const earlier = this.#onClosed
    if (this.#isClosed) listener()
    else if (earlier === null) this.#onClosed = listener
    else
      this.#onClosed = () => {
        earlier()
        listener()
      }
  }

  /** It was answered, or its client has left. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClosed?.()
  }

  #fail(endpoint: string, err: unknown): void {
    const { answers, log, onDone } = this.#link
    const { number, requestId } = this
    if (!this.#isClosed) {
      this.close()
      const error = asAppError(err)
      if (!error) log.error({ err, requestId, endpoint }, 'request failed')
      const answer = error ?? new AppError('INTERNAL', { cause: err })
      answers.fail(number, answer)
      this.#report(endpoint, answer.status)
    }
    onDone(number)
  }

  #report(endpoint: string, status: number): void {
    const { durations, log } = this.#link
    const seconds = (performance.now() - this.#startedAt) / 1000
    durations.observe({ endpoint, status }, seconds)
    const ms = Math.round(seconds * 1000)
    log.info(
      { requestId: this.requestId, endpoint, status, ms, userId: this.caller.userId },
      'request answered',
    )
  }
}
