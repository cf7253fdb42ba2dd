import { AppError } from '@tms/contracts'
import { Slots } from '../../kernel/concurrency/slots.ts'
import { Lane, type Room, type Waiting } from './lane.ts'

/** What became of a message of a group. */
export type GroupOutcome =
  | { readonly id: number }
  /** Its channel has changed since the checks. */
  | 'changed'
  /** Its key exists: an earlier attempt was stored. */
  | 'repeated'
  /** Another transaction holds what it needs: nothing was stored, and the next statement with it waits for that one. */
  | 'passed over'

/** What is to be known of a message to group it. */
export interface Groupable {
  readonly recipientId: number
  /** Messages of one kind are stored by one statement; null if it is stored alone. */
  readonly kind: string | null
  /** Two messages with the same key are never in one group; null for a message without. */
  readonly key: string | null
  /** It isn't stored after this, by the clock of `performance.now()`. */
  readonly until: number
  /** About how many bytes are sent to the database for it. */
  readonly bytes: number
}

/** Why a statement failed. Nothing was stored, unless it is unknown whether something was. */
export type StatementFailure =
  /** Another transaction held a lock for longer than it may wait. */
  | 'locked'
  /** The server refuses what it contains. */
  | 'refused'
  /** The server ended it for the sake of others. */
  | 'rolled back'
  /** The server has no room, for this statement or any other. */
  | 'unavailable'
  | 'unknown'

/** How messages are stored. A lock that another transaction holds for longer than `waitMs` is a failure. */
export interface GroupStatements<M> {
  /** Stores messages of one kind, and passes over those whose recipient is locked. */
  storeFree(messages: readonly M[], waitMs: number): Promise<readonly GroupOutcome[]>
  /** Stores messages of one kind to one recipient; waits for its lock. */
  storeInTurn(messages: readonly M[], waitMs: number): Promise<readonly GroupOutcome[]>
  /** Stores one message, whatever it needs, and waits for its lock. Returns null if its channel has changed. */
  storeAlone(message: M, waitMs: number): Promise<number | null>
  failureOf(err: unknown): StatementFailure
}

/** Is given what happens to messages, to measure it. */
export interface GroupObserver {
  /** A statement with so many messages begins. */
  sent(messages: number): void
  stored(afterMs: number): void
  /** A group of several was rolled back, and its messages are stored one by one. */
  undone(): void
  /** A message was refused since its time was over. */
  refused(): void
}

/** The key of a message exists: an earlier attempt was stored. */
export class RepeatedKeyError extends Error {}

/** Bounds of the groups. */
export interface GroupLimits {
  /** Statements with messages of any recipients at once. More make the groups smaller, which costs more in total. */
  readonly together: number
  /** The same, with those that take long: nothing that holds one of them up may hold up all. */
  readonly togetherWithSlow: number
  /** Statements at once for one recipient each, and those of them whose lock another transaction holds. */
  readonly inTurn: number
  readonly contended: number
  /** Messages of one statement, and their bytes: all of it is in memory several times, and its senders wait for all of it. */
  readonly messages: number
  readonly bytes: number
}

/** For so long after its lock was held by another, messages of a recipient wait for that lock in their own statement. */
const CONTENDED_MS = 250
/**
 * Longer than others hold the lock of a recipient for one message. What waits longer is contended: it makes room for those
 * that needn't wait, before it waits again.
 */
const LOCK_MS = 100
const SWEEP_MS = 1_000

/**
 * Stores messages in groups: what arrives while a group is being stored goes into the next one, whichever recipient it is
 * for. Nothing waits for company, so a message that is alone is stored at once.
 *
 * Messages of one recipient keep their order: it is in one statement at a time. If another transaction holds the lock of a
 * recipient, its messages leave the common groups and wait in a statement of their own, so that they delay no others: no
 * other statement waits longer than a moment for a lock. A group that the server refuses is stored message by message: only
 * the message that caused it fails. A message whose time is over is refused, and nothing of it is stored.
 */
export class MessageGroups<M extends Groupable> {
  readonly #statements: GroupStatements<M>
  readonly #limits: GroupLimits
  readonly #observer: GroupObserver
  readonly #lanes = new Map<number, Lane<M>>()
  /** Recipients with waiting messages, in the order of their turns: for common groups, and for statements of their own. */
  readonly #common = new Map<number, Lane<M>>()
  readonly #own = new Map<number, Lane<M>>()
  readonly #keysInUse = new Set<string>()
  readonly #slots: Slots
  #runningInTurn = 0
  #runningContended = 0
  #isScheduled = false
  #sweep: NodeJS.Timeout | undefined

  constructor(statements: GroupStatements<M>, limits: GroupLimits, observer: GroupObserver) {
    this.#observer = observer
    this.#statements = statements
    this.#limits = limits
    this.#slots = new Slots({ usual: limits.together, withSlow: limits.togetherWithSlow }, () =>
      this.#begin(),
    )
  }

  /**
   * Stores a message and returns its ID; null if its channel has changed since the checks. Throws SERVICE_UNAVAILABLE if its
   * time is over before, and `RepeatedKeyError` if its key was found to exist.
   */
  store(message: M): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const { recipientId, kind, until } = message
      const since = performance.now()
      if (until <= since) return this.#refuse({ reject })
      const lane = this.#lanes.get(recipientId) ?? new Lane<M>()
      this.#lanes.set(recipientId, lane)
      lane.add({ message, resolve, reject, since, isAlone: kind === null })
      if (!lane.isBusy) this.#line(recipientId, lane)
      this.#sweep ??= setInterval(() => this.#refuseExpired(), SWEEP_MS).unref()
      this.#schedule()
    })
  }

  /** Recipients with messages that wait for a statement. */
  get waitingRecipients(): number {
    return this.#common.size + this.#own.size
  }

  /** Begins at the end of this turn of the event loop, so that all that came in it goes together. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#begin()
    })
  }

  #begin(): void {
    const { inTurn, contended } = this.#limits
    while (this.#slots.isFree) {
      const group = this.#takeGroup()
      if (group.size === 0) break
      this.#slots.run(() => this.#storeFree(group))
    }
    for (const [recipientId, lane] of this.#own) {
      if (this.#runningInTurn >= inTurn) break
      if (this.#runningContended >= contended && lane.isContended(performance.now())) continue
      this.#own.delete(recipientId)
      void this.#storeInTurn(recipientId, lane)
    }
  }

  /** Takes the next messages of one kind by recipient, in the order of turns. */
  #takeGroup(): Group<M> {
    const room = this.#room()
    const group: Group<M> = new Map()
    for (const [recipientId, lane] of this.#common) {
      const taken = lane.take(room, this.#keysInUse)
      if (taken.length > 0) {
        this.#common.delete(recipientId)
        lane.isBusy = true
        group.set(recipientId, taken)
      } else if (lane.mustWaitInTurn(performance.now())) this.#line(recipientId, lane)
      if (room.messages === 0 || room.bytes <= 0) break
    }
    return group
  }

  #room(): Room {
    const { messages, bytes } = this.#limits
    return { messages, bytes, kind: null }
  }

  async #storeFree(group: Group<M>): Promise<void> {
    await this.#run(group, (messages) => this.#statements.storeFree(messages, LOCK_MS))
    for (const recipientId of group.keys()) this.#release(recipientId)
  }

  /** Stores the next messages of one recipient, and waits for its lock: as long as they have time if others hold it. */
  async #storeInTurn(recipientId: number, lane: Lane<M>): Promise<void> {
    const now = performance.now()
    const isContended = lane.isContended(now)
    this.#runningInTurn++
    if (isContended) this.#runningContended++
    lane.isBusy = true
    const alone = lane.takeAlone(this.#keysInUse)
    const taken = alone.length > 0 ? alone : lane.take(this.#room(), this.#keysInUse)
    const first = Math.min(...taken.map(({ message }) => message.until))
    const waitMs = isContended ? Math.max(1, first - now) : LOCK_MS
    if (taken.length > 0)
      await this.#run(new Map([[recipientId, taken]]), async (messages) => {
        const [message, ...others] = messages
        if (!message || others.length > 0) return this.#statements.storeInTurn(messages, waitMs)
        const id = await this.#statements.storeAlone(message, waitMs)
        return [id === null ? 'changed' : { id }]
      })
    this.#runningInTurn--
    if (isContended) this.#runningContended--
    this.#release(recipientId)
    this.#begin()
  }

  /** Runs the statement of a group, and answers its senders; what is not stored is put back. */
  async #run(group: Group<M>, store: (messages: M[]) => Promise<readonly GroupOutcome[]>): Promise<void> {
    const messages = [...group.values()].flat().map(({ message }) => message)
    this.#observer.sent(messages.length)
    let outcomes: readonly GroupOutcome[]
    try {
      outcomes = await store(messages)
    } catch (err) {
      this.#answerFailure(group, err)
      return
    } finally {
      for (const taken of group.values()) this.#forgetKeys(taken)
    }
    let index = 0
    for (const [recipientId, taken] of group)
      this.#answer(recipientId, taken, outcomes.slice(index, (index += taken.length)))
  }

  /** Puts back what may succeed in another statement; the senders of the rest get the error. */
  #answerFailure(group: Group<M>, err: unknown): void {
    const failure = this.#statements.failureOf(err)
    const isOne = [...group.values()].flat().length === 1
    if (!isOne && failure !== 'unavailable' && failure !== 'unknown') this.#observer.undone()
    for (const [recipientId, taken] of group)
      for (const waiting of taken.toReversed()) {
        const isEnded = failure === 'rolled back' && !waiting.isAlone
        if (failure === 'locked' && group.size === 1) {
          this.#lanes.get(recipientId)?.noteContention(performance.now() + CONTENDED_MS)
          this.#putBack(recipientId, [waiting])
        } else if (failure === 'locked' || isEnded || (failure === 'refused' && !isOne))
          this.#putBack(recipientId, [{ ...waiting, isAlone: true }])
        else
          waiting.reject(
            failure === 'unavailable' ? new AppError('SERVICE_UNAVAILABLE', { cause: err }) : err,
          )
      }
  }

  #putBack(recipientId: number, taken: readonly Waiting<M>[]): void {
    const lane = this.#lanes.get(recipientId)
    lane?.putBack(taken)
    for (const waiting of lane?.takeExpired(performance.now()) ?? []) this.#refuse(waiting)
  }

  #refuse({ reject }: Pick<Waiting<M>, 'reject'>): void {
    this.#observer.refused()
    reject(new AppError('SERVICE_UNAVAILABLE', { message: 'The server is busy; try again.' }))
  }

  #answer(recipientId: number, taken: readonly Waiting<M>[], outcomes: readonly GroupOutcome[]): void {
    const passedOver: Waiting<M>[] = []
    taken.forEach((waiting, index) => {
      const outcome = outcomes[index] ?? 'passed over'
      if (outcome === 'passed over') passedOver.push(waiting)
      else if (outcome === 'repeated') waiting.reject(new RepeatedKeyError())
      else if (outcome === 'changed') waiting.resolve(null)
      else {
        this.#observer.stored(performance.now() - waiting.since)
        waiting.resolve(outcome.id)
      }
    })
    const lane = this.#lanes.get(recipientId)
    if (passedOver.length === 0 || !lane) return
    lane.noteContention(performance.now() + CONTENDED_MS)
    // A statement that waited and still passed a message over lacks something that only storing it alone finds out.
    this.#putBack(
      recipientId,
      passedOver.map((waiting) => ({ ...waiting, isAlone: lane.isInTurn })),
    )
  }

  #forgetKeys(taken: readonly Waiting<M>[]): void {
    for (const { message } of taken) if (message.key !== null) this.#keysInUse.delete(message.key)
  }

  /** What still waits for this recipient may be stored. */
  #release(recipientId: number): void {
    const lane = this.#lanes.get(recipientId)
    if (!lane) return
    lane.isBusy = false
    this.#line(recipientId, lane)
  }

  /** Gives a recipient its next turn, if it has messages. */
  #line(recipientId: number, lane: Lane<M>): void {
    lane.isInTurn = lane.mustWaitInTurn(performance.now())
    const [turns, others] = lane.isInTurn ? [this.#own, this.#common] : [this.#common, this.#own]
    others.delete(recipientId)
    if (!lane.isEmpty) return void turns.set(recipientId, lane)
    turns.delete(recipientId)
    if (!lane.isContended(performance.now())) this.#lanes.delete(recipientId)
  }

  #refuseExpired(): void {
    const now = performance.now()
    for (const [recipientId, lane] of this.#lanes) {
      for (const waiting of lane.takeExpired(now)) this.#refuse(waiting)
      if (!lane.isBusy) this.#line(recipientId, lane)
    }
    // Whose lock is no longer contended may be stored by another statement.
    this.#schedule()
    if (this.#lanes.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

/** Messages that one statement stores, by recipient. */
type Group<M> = Map<number, readonly Waiting<M>[]>
