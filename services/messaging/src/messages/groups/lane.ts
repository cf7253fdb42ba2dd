import type { Groupable } from './message-groups.ts'

/** A message that is to be stored, and its sender, who waits for the answer. */
export interface Waiting<M> {
  readonly message: M
  readonly resolve: (id: number | null) => void
  readonly reject: (err: unknown) => void
  /** When its checks ended. */
  readonly since: number
  /** It can't be in a group, or has failed with one. */
  isAlone: boolean
}

/** What still fits in a group. */
export interface Room {
  messages: number
  bytes: number
  /** The kind of the group; its first message decides. */
  kind: string | null
}

/** The messages of one recipient that wait to be stored, in their order. */
export class Lane<M extends Groupable> {
  /** A statement stores messages of it. */
  isBusy = false
  /** Its messages wait for the lock in a statement of their own. */
  isInTurn = false
  #contendedUntil = 0
  #waiting: Waiting<M>[] = []

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(waiting: Waiting<M>): void {
    this.#waiting.push(waiting)
  }

  /** Puts back what was taken and is not stored. */
  putBack(waiting: readonly Waiting<M>[]): void {
    this.#waiting.unshift(...waiting)
  }

  /** Another transaction held the lock, as it probably will again until then. */
  noteContention(until: number): void {
    this.#contendedUntil = until
  }

  isContended(now: number): boolean {
    return now < this.#contendedUntil
  }

  mustWaitInTurn(now: number): boolean {
    return this.isContended(now) || this.#waiting[0]?.isAlone === true
  }

  /** Takes the first message if it is stored alone, and marks its key as in use. */
  takeAlone(keysInUse: Set<string>): Waiting<M>[] {
    if (!this.#waiting[0]?.isAlone) return []
    const taken = this.#waiting.splice(0, 1)
    for (const { message } of taken) if (message.key !== null) keysInUse.add(message.key)
    return taken
  }

  /**
   * Takes the next messages that fit, and marks their keys as in use. A message whose key is in use is stored alone: the other
   * one decides about it, and it would fail with its group.
   */
  take(room: Room, keysInUse: Set<string>): Waiting<M>[] {
    let count = 0
    for (const waiting of this.#waiting) {
      const { kind, key, bytes } = waiting.message
      if (key !== null && keysInUse.has(key)) waiting.isAlone = true
      room.kind ??= waiting.isAlone ? null : kind
      if (waiting.isAlone || kind !== room.kind || room.messages === 0 || room.bytes <= 0) break
      if (key !== null) keysInUse.add(key)
      room.messages--
      room.bytes -= bytes
      count++
    }
    return this.#waiting.splice(0, count)
  }

  /** Removes the messages whose time is over. */
  takeExpired(now: number): Waiting<M>[] {
    const isExpired = ({ message }: Waiting<M>) => message.until <= now
    const expired = this.#waiting.filter(isExpired)
    if (expired.length > 0) this.#waiting = this.#waiting.filter((waiting) => !isExpired(waiting))
    return expired
  }
}
