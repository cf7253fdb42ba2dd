import type { Duplex } from 'node:stream'
import type { PollLinkRequests, PollRequest } from '@tms/contracts'
import { type Caller, FrameConnection, isLimited, SILENT_MS, type UserTokenVerifier } from '@tms/service-kit'
import { AnswerFrames } from './answer-frames.ts'
import { ServedPoll, type ServingLink } from './served-poll.ts'

/** What the links of a replica share. */
export interface PollLinkParts extends Pick<ServingLink, 'context' | 'durations' | 'log'> {
  readonly verifyUser: UserTokenVerifier
}

interface Accepted {
  readonly socket: Duplex
  readonly head: Buffer
  /** Called once, when the connection has ended. */
  readonly onEnd: () => void
}

/** A connection over which one gateway hands over polls and streams. */
export class PollLink {
  readonly #verifyUser: PollLinkParts['verifyUser']
  readonly #connection: FrameConnection
  readonly #serving: ServingLink
  /** Those that wait, streams included. */
  readonly #polls = new Map<number, ServedPoll>()
  #onEmpty: () => void = () => {}
  #isClosing = false

  constructor(parts: PollLinkParts, { socket, head, onEnd }: Accepted) {
    this.#verifyUser = parts.verifyUser
    this.#serving = {
      ...parts,
      answers: new AnswerFrames({
        send: (texts) => this.#connection.send(texts),
        unsentBytes: () => this.#connection.unsentBytes,
      }),
      onDone: (number) => {
        this.#polls.delete(number)
        if (this.#polls.size === 0) this.#onEmpty()
      },
    }
    this.#connection = new FrameConnection(socket, head, {
      silentMs: SILENT_MS,
      onFrame: ([text = '{}']) => this.#receive(JSON.parse(text) as PollLinkRequests),
      onDrained: () => {
        for (const { output } of this.#polls.values()) output?.onLinkDrained()
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
    this.#serving.answers.announceLeaving()
  }

  /** Ends the connection once all polls are answered. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#polls.size > 0)
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve
      })
    this.#serving.answers.flush()
    this.#connection.end()
  }

  #receive({ polls, streams, cancelled, taken }: PollLinkRequests): void {
    for (const poll of polls) this.#accept(poll)?.poll(paramsOf(poll))
    for (const stream of streams) void this.#accept(stream)?.stream(paramsOf(stream))
    for (const number of cancelled) this.#polls.get(number)?.close()
    for (const [number, bytes] of taken) this.#polls.get(number)?.output?.onTaken(bytes)
  }

  /** Null for one that is sent back. */
  #accept([number, token, requestId]: PollRequest): ServedPoll | null {
    if (this.#polls.has(number)) throw new Error(`the poll ${number} came twice`)
    const caller = this.#callerOf(token)
    if (!caller || this.#isClosing) {
      this.#serving.answers.sendBack(number)
      return null
    }
    const poll = new ServedPoll(this.#serving, { number, caller, requestId })
    this.#polls.set(number, poll)
    return poll
  }

  /** Null for callers whose polls need more than a link offers, and for unknown ones. */
  #callerOf(token: string): Caller | null {
    try {
      const caller = this.#verifyUser(token)
      return caller === null || caller.userId === null || isLimited(caller) ? null : caller
    } catch {
      return null
    }
  }
}

const paramsOf = ([, , , queueId, lastEventId]: PollRequest) => ({
  queueId,
  lastEventId: lastEventId ?? undefined,
})
