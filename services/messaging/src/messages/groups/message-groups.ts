import { AppError } from '@tms/contracts'
import { Slots } from '../../kernel/concurrency/slots.ts'
import { Lane, type Room, type Waiting } from './lane.ts'

/** What became of a message of a group. */
export type GroupOutcome =
  | { readonly id: number }
  /** Its channel has changed since the checks. */
  | 'changed'
  /** Another transaction holds what it needs: nothing was stored, and the next statement with it waits for that one. */
  | 'passed over'

/** What is to be known of a message to group it. */
export interface Groupable {
  readonly recipientId: number
  /** Messages of one kind are stored by one statement; null if it is stored alone. */
  readonly kind: string | null
  /** Two messages with the same key are never in one group; null for a message without. */
  readonly key: string | null
  /** About how many bytes are sent to the database for it. */
  readonly bytes: number
}

/** How messages are stored. */
export interface GroupStatements<M> {
  /** Stores messages of one kind, and passes over those that would have to wait for another transaction. */
  storeFree(messages: readonly M[]): Promise<readonly GroupOutcome[]>
  /** Stores messages of one kind to one recipient; waits for its lock. */
  storeInTurn(messages: readonly M[]): Promise<readonly GroupOutcome[]>
  /** Stores one message, whatever it needs, and waits for it. Returns null if its channel has changed. */
  storeAlone(message: M): Promise<number | null>
  /** Whether the server refused a statement because of what it contains, so that certainly nothing was stored. */
  isRefused(err: unknown): boolean
}

/** Bounds of the groups. */
export interface GroupLimits {
  /** Statements with messages of any recipients at once. More make the groups smaller, which costs more in total. */
  readonly together: number
  /** The same, with those that take long: nothing that holds one of them up may hold up all. */
  readonly togetherWithSlow: number
  /** Statements at once that wait for the lock of one recipient. */
  readonly inTurn: number
  /** Messages of one statement, and their bytes: all of it is in memory several times, and its senders wait for all of it. */
  readonly messages: number
  readonly bytes: number
}

/** For so long after its lock was held by another, messages of a recipient wait for that lock in their own statement. */
const CONTENDED_MS = 250
/**
 * Longer than any change of a channel takes. A message that waits longer for its turn is refused rather than piling up, before
 * the gateway answers that it doesn't know.
 */
export const MAX_WAIT_MS = 10_000
const SWEEP_MS = 1_000

/**
 * Stores messages in groups: what arrives while a group is being stored goes into the next one, whichever recipient it is
 * for. Nothing waits for company, so a message that is alone is stored at once.
 *
 * Messages of one recipient keep their order: it is in one statement at a time. If another transaction holds the lock of a
 * recipient, its messages leave the common groups and wait in a statement of their own, so that they delay no others. A
 * group that the server refuses is stored message by message: only the message that caused it fails.
 */
export class MessageGroups<M extends Groupable> {
  readonly #statements: GroupStatements<M>
  readonly #limits: GroupLimits
  readonly #lanes = new Map<number, Lane<M>>()
  /** Recipients with waiting messages, in the order of their turns: for common groups, and for statements of their own. */
  readonly #common = new Map<number, Lane<M>>()
  readonly #own = new Map<number, Lane<M>>()
  readonly #keysInUse = new Set<string>()
  readonly #slots: Slots
  #runningInTurn = 0
  #isScheduled = false
  #sweep: NodeJS.Timeout | undefined

  constructor(statements: GroupStatements<M>, limits: GroupLimits) {
    this.#statements = statements
    this.#limits = limits
    this.#slots = new Slots({ usual: limits.together, withSlow: limits.togetherWithSlow }, () =>
      this.#begin(),
    )
  }

  /**
   * Stores a message and returns its ID; null if its channel has changed since the checks. Throws SERVICE_UNAVAILABLE if it
   * waits too long for its turn.
   */
  store(message: M): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const { recipientId, kind } = message
      const lane = this.#lanes.get(recipientId) ?? new Lane<M>()
      this.#lanes.set(recipientId, lane)
      lane.add({ message, resolve, reject, since: performance.now(), isAlone: kind === null })
      if (!lane.isBusy) this.#line(recipientId, lane)
      this.#sweep ??= setInterval(() => this.#refuseOld(), SWEEP_MS).unref()
      this.#schedule()
    })
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
    const { inTurn } = this.#limits
    while (this.#slots.isFree) {
      const group = this.#takeGroup()
      if (group.size === 0) break
      this.#slots.run(() => this.#storeFree(group))
    }
    for (const [recipientId, lane] of this.#own) {
      if (this.#runningInTurn >= inTurn) break
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
    await this.#run(group, (messages) => this.#statements.storeFree(messages))
    for (const recipientId of group.keys()) this.#release(recipientId)
  }

  /** Stores the next messages of one recipient, and waits for its lock. */
  async #storeInTurn(recipientId: number, lane: Lane<M>): Promise<void> {
    this.#runningInTurn++
    lane.isBusy = true
    const alone = lane.takeAlone()
    const taken = alone ? [alone] : lane.take(this.#room(), this.#keysInUse)
    const [first] = taken
    if (first && taken.length === 1) {
      await this.#statements.storeAlone(first.message).then(first.resolve, first.reject)
      if (!alone) this.#forgetKeys(taken)
    } else if (first) {
      const group: Group<M> = new Map([[recipientId, taken]])
      await this.#run(group, (messages) => this.#statements.storeInTurn(messages))
    }
    this.#runningInTurn--
    this.#release(recipientId)
    this.#begin()
  }

  /** Runs the statement of a group, and answers its senders; what is not stored is put back. */
  async #run(group: Group<M>, store: (messages: M[]) => Promise<readonly GroupOutcome[]>): Promise<void> {
    const messages = [...group.values()].flat().map(({ message }) => message)
    let outcomes: readonly GroupOutcome[]
    try {
      outcomes = await store(messages)
    } catch (err) {
      const isRefused = this.#statements.isRefused(err)
      for (const [recipientId, taken] of group) {
        if (isRefused)
          this.#lanes.get(recipientId)?.putBack(taken.map((waiting) => ({ ...waiting, isAlone: true })))
        else for (const { reject } of taken) reject(err)
      }
      return
    } finally {
      for (const taken of group.values()) this.#forgetKeys(taken)
    }
    let index = 0
    for (const [recipientId, taken] of group)
      this.#answer(recipientId, taken, outcomes.slice(index, (index += taken.length)))
  }

  #answer(recipientId: number, taken: readonly Waiting<M>[], outcomes: readonly GroupOutcome[]): void {
    const passedOver: Waiting<M>[] = []
    taken.forEach((waiting, index) => {
      const outcome = outcomes[index] ?? 'passed over'
      if (outcome === 'passed over') passedOver.push(waiting)
      else waiting.resolve(outcome === 'changed' ? null : outcome.id)
    })
    const lane = this.#lanes.get(recipientId)
    if (passedOver.length === 0 || !lane) return
    lane.noteContention(performance.now() + CONTENDED_MS)
    // A statement that waited and still passed a message over lacks something that only storing it alone finds out.
    lane.putBack(passedOver.map((waiting) => ({ ...waiting, isAlone: lane.isInTurn })))
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
    if (!lane.isEmpty) turns.set(recipientId, lane)
    else if (!lane.isContended(performance.now())) this.#lanes.delete(recipientId)
  }

  #refuseOld(): void {
    const now = performance.now()
    for (const [recipientId, lane] of this.#lanes) {
      for (const { reject } of lane.takeOlder(now - MAX_WAIT_MS))
        reject(new AppError('SERVICE_UNAVAILABLE', { message: 'The channel is busy; try again.' }))
      if (!lane.isBusy) this.#line(recipientId, lane)
    }
    if (this.#lanes.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

/** Messages that one statement stores, by recipient. */
type Group<M> = Map<number, readonly Waiting<M>[]>
