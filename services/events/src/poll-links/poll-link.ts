import type { Duplex } from 'node:stream'
import { endpoints, type LinkedPoll, type PollLinkRequests } from '@tms/contracts'
import {
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

/** Characters; longer answers would delay the others of the link, and go to their client at the client's pace. */
const MAX_ANSWER_LENGTH = 64 * 1024

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
      onEnd: () => {
        for (const poll of this.#polls.values()) poll.close()
        onEnd()
      },
    })
  }

  /** Has the gateway hand over further polls to others. */
  leave(): void {
    this.#answers.leave()
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

  #serve([number, token, requestId, queueId, lastEventId]: LinkedPoll): void {
    const caller = this.#callerOf(token)
    if (!caller || this.#isClosing) return this.#answers.return(number)
    const poll = new ServedPoll(this.#parts, caller, requestId)
    this.#polls.set(number, poll)
    answerPoll(poll, { queueId, lastEventId: lastEventId ?? undefined, dontBlock: false })
      .then(({ texts }) => this.#answer(number, poll, texts))
      // The gateway sends it as a request, which says and logs why.
      .catch(() => this.#answers.return(number))
      .finally(() => {
        poll.close()
        this.#polls.delete(number)
        if (this.#polls.size === 0) this.#onEmpty()
      })
  }

  #answer(number: number, poll: ServedPoll, texts: readonly string[]): void {
    if (poll.isClosed) return
    if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_ANSWER_LENGTH)
      return this.#answers.return(number)
    this.#answers.add(number, texts)
    const seconds = (performance.now() - poll.startedAt) / 1000
    this.#parts.durations.observe({ endpoint: ENDPOINT, status: 200 }, seconds)
    const { requestId, caller } = poll
    const ms = Math.round(seconds * 1000)
    poll.log.info(
      { requestId, endpoint: ENDPOINT, status: 200, ms, userId: caller.userId },
      'request answered',
    )
  }

  /** Null for callers whose polls need more than a link offers. */
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
