import type { PollAnswer, PollOptions } from './partition-store.ts'

/** Polls of a call; Redis serves nothing else meanwhile. */
const MAX_POLLS = 64

type SendPolls = (
  partition: number,
  polls: readonly PollOptions[],
) => Promise<readonly (PollAnswer | Error)[]>

interface WaitingPoll {
  readonly options: PollOptions
  readonly resolve: (answer: PollAnswer) => void
  readonly reject: (err: unknown) => void
}

/**
 * Joins the polls of a partition that begin in one turn of the event loop, as those that a gateway hands over together, into one
 * call of Redis: a call costs both sides more than what it does.
 */
export class PollBatches {
  readonly #send: SendPolls
  readonly #waiting = new Map<number, WaitingPoll[]>()

  constructor(send: SendPolls) {
    this.#send = send
  }

  /** Rejects as the call does, or if this poll fails. */
  poll(partition: number, options: PollOptions): Promise<PollAnswer> {
    return new Promise((resolve, reject) => {
      const poll = { options, resolve, reject }
      const waiting = this.#waiting.get(partition)
      if (waiting && waiting.push(poll) < MAX_POLLS) return
      if (waiting) return this.#flush(partition)
      this.#waiting.set(partition, [poll])
      process.nextTick(() => this.#flush(partition))
    })
  }

  #flush(partition: number): void {
    const polls = this.#waiting.get(partition)
    if (!polls) return
    this.#waiting.delete(partition)
    this.#send(
      partition,
      polls.map(({ options }) => options),
    ).then(
      (answers) => {
        for (const [at, { resolve, reject }] of polls.entries()) {
          const answer = answers[at]
          if (answer === undefined) reject(new Error('Redis answered fewer polls than it was sent'))
          else if (answer instanceof Error) reject(answer)
          else resolve(answer)
        }
      },
      (err: unknown) => {
        for (const { reject } of polls) reject(err)
      },
    )
  }
}
