import { AppError } from '@tms/contracts'
import { Slots } from './slots.ts'

/** Questions of one statement. */
const MOST = 100
/** A question that waits longer is refused rather than piling up, as one that waits for a connection. */
const MAX_WAIT_MS = 5_000
const SWEEP_MS = 500
/** More are refused at once: they could hardly be answered in that time. */
const MOST_WAITING = 10_000

interface Asked<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (err: unknown) => void
  readonly since: number
}

/**
 * Reads together what is asked at the same time: the questions of one turn of the event loop, and those that came while others
 * were read. Each read begins after its questions were asked, so its answers are as new as if each were read alone. Throws
 * SERVICE_UNAVAILABLE for a question that can't be read in time.
 */
export class GroupedReads<Question, Answer> {
  readonly #read: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly #slots: Slots
  #waiting: Asked<Question, Answer>[] = []
  #isScheduled = false
  #sweep: NodeJS.Timeout | undefined

  /** `read` returns the answers in the order of the questions. `connections` may be used at most. */
  constructor(
    read: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    { usual, connections }: { readonly usual: number; readonly connections: number },
  ) {
    this.#read = read
    this.#slots = new Slots({ usual, withSlow: connections }, () => this.#begin())
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MOST_WAITING) return reject(tooBusy())
      this.#waiting.push({ question, resolve, reject, since: performance.now() })
      this.#sweep ??= setInterval(() => this.#refuseOld(), SWEEP_MS).unref()
      if (this.#isScheduled) return
      this.#isScheduled = true
      setImmediate(() => {
        this.#isScheduled = false
        this.#begin()
      })
    })
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#slots.isFree) {
      const group = this.#waiting.splice(0, MOST)
      this.#slots.run(() => this.#answer(group))
    }
  }

  async #answer(group: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#read(group.map(({ question }) => question))
      group.forEach(({ resolve }, index) => resolve(answers[index] as Answer))
    } catch (err) {
      if (group.length > 1 && isOfValue(err)) await this.#answerEach(group)
      else for (const { reject } of group) reject(err)
    }
  }

  /** One of them asks what the server refuses. If it fails for any other reason, the rest would wait to fail one by one. */
  async #answerEach(group: readonly Asked<Question, Answer>[]): Promise<void> {
    let failure: { readonly err: unknown } | undefined
    for (const { question, resolve, reject } of group)
      if (failure) reject(failure.err)
      else
        await this.#read([question]).then(
          ([answer]) => resolve(answer as Answer),
          (err) => {
            if (!isOfValue(err)) failure = { err }
            reject(err)
          },
        )
  }

  #refuseOld(): void {
    const before = performance.now() - MAX_WAIT_MS
    const first = this.#waiting.findIndex(({ since }) => since >= before)
    const old = this.#waiting.splice(0, first < 0 ? this.#waiting.length : first)
    for (const { reject } of old) reject(tooBusy())
    if (this.#waiting.length > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

const tooBusy = () => new AppError('SERVICE_UNAVAILABLE', { message: 'The server is busy; try again.' })

/** PostgreSQL refused a value: class 22. */
const isOfValue = (err: unknown) => /^22[0-9A-Z]{3}$/.test(String((err as { code?: unknown } | null)?.code))
