import { Slots } from './slots.ts'

/** Questions of one statement. */
const MOST = 100

interface Asked<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (err: unknown) => void
}

/**
 * Reads together what is asked at the same time: the questions of one turn of the event loop, and those that came while others
 * were read. Each read begins after its questions were asked, so its answers are as new as if each were read alone.
 */
export class GroupedReads<Question, Answer> {
  readonly #read: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly #slots: Slots
  #waiting: Asked<Question, Answer>[] = []
  #isScheduled = false

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
      this.#waiting.push({ question, resolve, reject })
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

  /** If a read of several fails, each is read alone: one may ask what the server refuses. */
  async #answer(group: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#read(group.map(({ question }) => question))
      group.forEach(({ resolve }, index) => resolve(answers[index] as Answer))
    } catch (err) {
      if (group.length === 1) group[0]?.reject(err)
      else for (const asked of group) await this.#answer([asked])
    }
  }
}
