import type { Duplex } from 'node:stream'
import { AppError, endpoints, type PollLinkRequests, type PollRequest } from '@tms/contracts'
import {
  asAppError,
  type Caller,
  type createUserTokenVerifier,
  FrameConnection,
  isLimited,
  type Logger,
  type requestDurationsOf,
  SILENT_MS,
} from '@tms/service-kit'
import type { Context } from '../queues/context.ts'
import { answerPoll, type Poller } from '../queues/get-events.ts'
import { AnswerFrames } from './answer-frames.ts'

/** Characters of an answer. Its client polls again at once for what is left. */
const MAX_LINKED_LENGTH = 64 * 1024

const ENDPOINT = endpoints.events.getEvents.name

/** What the links of a replica share. */
export interface PollLinkParts {
  readonly context: Context
  readonly verifyUser: ReturnType<typeof createUserTokenVerifier>
  readonly durations: ReturnType<typeof requestDurationsOf>
  readonly log: Logger
}

interface Accepted {
  readonly socket: Duplex
  readonly head: Buffer
  /** Called once, when the connection has ended. */
  readonly onEnd: () => void
}

/** A connection over which one gateway hands over polls. */
export class PollLink {
  readonly #parts: PollLinkParts
  readonly #connection: FrameConnection
  readonly #answers: AnswerFrames
  readonly #polls = new Map<number, ServedPoll>()
  #onEmpty: () => void = () => {}
  #isClosing = false

  constructor(parts: PollLinkParts, { socket, head, onEnd }: Accepted) {
    this.#parts = parts
    this.#answers = new AnswerFrames((texts) => this.#connection.send(texts))
    this.#connection = new FrameConnection(socket, head, {
      silentMs: SILENT_MS,
      onFrame: ([text = '{}']) => this.#receive(JSON.parse(text) as PollLinkRequests),
      onEnd: (err) => {
        if (err) parts.log.info({ err, polls: this.#polls.size }, 'poll link lost')
        for (const poll of this.#polls.values()) poll.close()
        onEnd()
      },
    })
  }

  /** Has the gateway hand over further polls to others. */
  announceLeaving(): void {
    this.#answers.announceLeaving()
  }

  /** Ends the connection once all polls are answered. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#polls.size > 0)
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve
      })
    this.#answers.flush()
    this.#connection.end()
  }

  #receive({ polls, cancelled }: PollLinkRequests): void {
    for (const poll of polls) this.#serve(poll)
    for (const number of cancelled) this.#polls.get(number)?.close()
  }

  #serve([number, token, requestId, queueId, lastEventId]: PollRequest): void {
    if (this.#polls.has(number)) throw new Error(`the poll ${number} came twice`)
    const caller = this.#callerOf(token)
    if (!caller || this.#isClosing) return this.#answers.sendBack(number)
    const poll = new ServedPoll(this.#parts, caller, requestId)
    this.#polls.set(number, poll)
    answerPoll(poll, { queueId, lastEventId: lastEventId ?? undefined, dontBlock: false })
      .then(
        ({ texts }) => this.#answer(number, poll, texts),
        (err: unknown) => this.#fail(number, poll, err),
      )
      .finally(() => {
        this.#polls.delete(number)
        if (this.#polls.size === 0) this.#onEmpty()
      })
  }

  #answer(number: number, poll: ServedPoll, texts: readonly string[]): void {
    if (poll.isClosed) return
    const [first = ''] = texts
    // It would delay the others, and must go to its client at the client's pace.
    if (texts.length === 1 && first.length > MAX_LINKED_LENGTH) {
      poll.close()
      return this.#answers.sendBack(number)
    }
    this.#answers.add(number, texts, () => poll.close())
    this.#report(poll, 200)
  }

  #fail(number: number, poll: ServedPoll, err: unknown): void {
    const wasClosed = poll.isClosed
    poll.close()
    if (wasClosed) return
    const { requestId } = poll
    const error = asAppError(err)
    if (!error) poll.log.error({ err, requestId, endpoint: ENDPOINT }, 'request failed')
    const answer = error ?? new AppError('INTERNAL', { cause: err })
    this.#answers.fail(number, answer)
    this.#report(poll, answer.status)
  }

  #report({ startedAt, requestId, caller, log }: ServedPoll, status: number): void {
    const seconds = (performance.now() - startedAt) / 1000
    this.#parts.durations.observe({ endpoint: ENDPOINT, status }, seconds)
    const ms = Math.round(seconds * 1000)
    log.info({ requestId, endpoint: ENDPOINT, status, ms, userId: caller.userId }, 'request answered')
  }

  /** Null for callers whose polls need more than a link offers, and for unknown ones. */
  #callerOf(token: string): Caller | null {
    try {
      const caller = this.#parts.verifyUser(token)
      return caller === null || caller.userId === null || isLimited(caller) ? null : caller
    } catch {
      return null
    }
  }
}

/** A poll that came over a link. */
class ServedPoll implements Poller {
  readonly context: Poller['context']
  readonly log: Poller['log']
  readonly requestId: string
  readonly caller: Caller
  readonly startedAt = performance.now()
  readonly maxAnswerLength = MAX_LINKED_LENGTH
  #listeners: (() => void)[] = []
  #isClosed = false

  constructor({ context, log }: PollLinkParts, caller: Caller, requestId: string) {
    this.context = context
    this.log = log
    this.caller = caller
    this.requestId = requestId
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  onClosed(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#listeners.push(listener)
  }

  /** It was answered, or its client has left. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const listener of this.#listeners) listener()
  }
}
