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
import { openStream } from '../queues/stream-events.ts'
import { AnswerFrames } from './answer-frames.ts'
import { LinkedOutput } from './linked-output.ts'

/** Characters of an answer. Its client polls again at once for what is left. */
const MAX_LINKED_LENGTH = 64 * 1024

const POLL = endpoints.events.getEvents.name
const STREAM = endpoints.events.streamEvents.name

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

/** A connection over which one gateway hands over polls and streams. */
export class PollLink {
  readonly #parts: PollLinkParts
  readonly #connection: FrameConnection
  readonly #answers: AnswerFrames
  /** Those that wait, streams included. */
  readonly #polls = new Map<number, ServedPoll>()
  readonly #outputs = new Map<number, LinkedOutput>()
  #onEmpty: () => void = () => {}
  #isClosing = false

  constructor(parts: PollLinkParts, { socket, head, onEnd }: Accepted) {
    this.#parts = parts
    this.#answers = new AnswerFrames({
      send: (texts) => this.#connection.send(texts),
      unsentBytes: () => this.#connection.unsentBytes,
    })
    this.#connection = new FrameConnection(socket, head, {
      silentMs: SILENT_MS,
      onFrame: ([text = '{}']) => this.#receive(JSON.parse(text) as PollLinkRequests),
      onDrained: () => {
        for (const output of this.#outputs.values()) output.onLinkDrained()
      },
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

  #receive({ polls, streams, cancelled, taken }: PollLinkRequests): void {
    for (const poll of polls) this.#serve(poll, POLL)
    for (const stream of streams) this.#serve(stream, STREAM)
    for (const number of cancelled) this.#polls.get(number)?.close()
    for (const [number, bytes] of taken) this.#outputs.get(number)?.onTaken(bytes)
  }

  #serve([number, token, requestId, queueId, lastEventId]: PollRequest, endpoint: string): void {
    if (this.#polls.has(number)) throw new Error(`the poll ${number} came twice`)
    const caller = this.#callerOf(token)
    if (!caller || this.#isClosing) return this.#answers.sendBack(number)
    const poll = new ServedPoll(this.#parts, { caller, requestId, endpoint })
    this.#polls.set(number, poll)
    const params = { queueId, lastEventId: lastEventId ?? undefined }
    const served = endpoint === POLL ? this.#poll(number, poll, params) : this.#stream(number, poll, params)
    served
      .catch((err: unknown) => this.#fail(number, poll, err))
      .finally(() => {
        this.#polls.delete(number)
        if (this.#polls.size === 0) this.#onEmpty()
      })
  }

  async #poll(number: number, poll: ServedPoll, params: ReaderParams): Promise<void> {
    const { texts } = await answerPoll(poll, { ...params, dontBlock: false })
    this.#answer(number, poll, texts)
  }

  async #stream(number: number, poll: ServedPoll, params: ReaderParams): Promise<void> {
    const { begin, ended, onDrained } = await openStream(poll, { ...params, endsWhenEmpty: false })
    const output = new LinkedOutput(number, this.#answers, { onDrained, onOver: () => poll.close() })
    this.#outputs.set(number, output)
    try {
      await begin(output)
      output.open()
      await ended
      // Before the frame is sent, the client may have left.
      if (!poll.isClosed) output.end()
      poll.close()
    } finally {
      this.#outputs.delete(number)
      output.release()
    }
    if (output.wasOpened) this.#report(poll, 200)
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
    if (!error) poll.log.error({ err, requestId, endpoint: poll.endpoint }, 'request failed')
    const answer = error ?? new AppError('INTERNAL', { cause: err })
    this.#answers.fail(number, answer)
    this.#report(poll, answer.status)
  }

  #report({ startedAt, requestId, caller, log, endpoint }: ServedPoll, status: number): void {
    const seconds = (performance.now() - startedAt) / 1000
    this.#parts.durations.observe({ endpoint, status }, seconds)
    const ms = Math.round(seconds * 1000)
    log.info({ requestId, endpoint, status, ms, userId: caller.userId }, 'request answered')
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

interface ReaderParams {
  readonly queueId: string
  readonly lastEventId: number | undefined
}

/** A poll or a stream that came over a link. */
class ServedPoll implements Poller {
  readonly context: Poller['context']
  readonly log: Poller['log']
  readonly requestId: string
  readonly caller: Caller
  readonly endpoint: string
  readonly startedAt = performance.now()
  readonly maxAnswerLength = MAX_LINKED_LENGTH
  #listeners: (() => void)[] = []
  #isClosed = false

  constructor(
    { context, log }: PollLinkParts,
    { caller, requestId, endpoint }: Pick<ServedPoll, 'caller' | 'requestId' | 'endpoint'>,
  ) {
    this.context = context
    this.log = log
    this.caller = caller
    this.requestId = requestId
    this.endpoint = endpoint
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
