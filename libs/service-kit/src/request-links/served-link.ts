import type { Duplex } from 'node:stream'
import type { RequestLinkRequests } from '@tms/contracts'
import { FrameConnection } from '../frames/frame-connection.ts'
import type { AnswerTarget } from '../http/answer-target.ts'
import { LinkedRequest } from '../http/api-request.ts'
import { SILENT_MS } from '../http/processing.ts'
import type { Logger } from '../telemetry/log.ts'
import { AnswerFrames } from './answer-frames.ts'
import { LinkedAnswer } from './linked-answer.ts'

export interface ServedLinkParts {
  readonly serve: (request: LinkedRequest, answer: AnswerTarget) => void
  readonly log: Pick<Logger, 'info'>
}

interface Accepted {
  readonly socket: Duplex
  readonly head: Buffer
  /** Called once, when the connection has ended. */
  readonly onEnd: () => void
}

/** A connection over which one gateway sends requests. */
export class ServedLink {
  readonly #serve: ServedLinkParts['serve']
  readonly #connection: FrameConnection
  readonly #frames: AnswerFrames
  /** Requests in progress, and answers that weren't sent to their end. */
  readonly #answers = new Map<number, LinkedAnswer>()

  constructor({ serve, log }: ServedLinkParts, { socket, head, onEnd }: Accepted) {
    this.#serve = serve
    this.#frames = new AnswerFrames({
      send: (texts) => this.#connection.send(texts),
      unsentBytes: () => this.#connection.unsentBytes,
    })
    this.#connection = new FrameConnection(socket, head, {
      silentMs: SILENT_MS,
      onFrame: (texts) => this.#receive(texts),
      onDrained: () => this.#frames.flush(),
      onEnd: (err) => {
        if (err) log.info({ err, requests: this.#answers.size }, 'request link lost')
        for (const answer of this.#answers.values()) answer.close()
        onEnd()
      },
    })
  }

  /** Has the gateway send further requests elsewhere, and end the link when it has all answers. */
  announceLeaving(): void {
    this.#frames.announceLeaving()
  }

  #receive([text = '{}', ...bodies]: readonly string[]): void {
    const { requests, cancelled, wanted } = JSON.parse(text) as RequestLinkRequests
    for (const [index, head] of requests.entries()) this.#begin(head, bodies[index] ?? '')
    for (const number of cancelled) this.#answers.get(number)?.close()
    for (const number of wanted) {
      const answer = this.#answers.get(number)
      if (answer) this.#frames.add(answer)
    }
  }

  #begin([number, method, url, headers]: RequestLinkRequests['requests'][number], body: string): void {
    if (this.#answers.has(number)) throw new Error(`the request ${number} came twice`)
    const answer = new LinkedAnswer(number, {
      send: (ended) => this.#frames.add(ended),
      breakOff: () => this.#frames.addBroken(number),
    })
    this.#answers.set(number, answer)
    answer.on('close', () => this.#answers.delete(number))
    this.#serve(new LinkedRequest(method, url, headers, body), answer)
  }
}
