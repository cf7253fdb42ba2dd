/** Who may read a channel, and what of it. */
export type Kind = 'public' | 'shared' | 'protected'

/** The simplest thing that says who holds which message and has read it: a row for each recipient. */
export class ReceiptsModel {
  readonly #kinds: readonly Kind[]
  readonly #subscribers: readonly Set<number>[]
  /** Channel of each message. */
  readonly #places = new Map<number, number>()
  /** By user, by message: whether it is read. */
  readonly #rows: readonly Map<number, boolean>[]

  /** Users and channels are numbered from 0. */
  constructor(userCount: number, kinds: readonly Kind[]) {
    this.#kinds = kinds
    this.#subscribers = kinds.map(() => new Set())
    this.#rows = Array.from({ length: userCount }, () => new Map())
  }

  isSubscribed(user: number, channel: number): boolean {
    return this.#subscribers[channel]?.has(user) ?? false
  }

  /** Messages that are in a channel, ascending. */
  messagesIn(channel: number): number[] {
    return [...this.#places].filter(([, place]) => place === channel).map(([id]) => id)
  }

  subscribe(user: number, channel: number): void {
    this.#subscribers[channel]?.add(user)
  }

  /** Whoever leaves is done with what is there. */
  unsubscribe(user: number, channel: number): void {
    this.#subscribers[channel]?.delete(user)
    for (const id of this.messagesIn(channel)) this.#set(user, id, true)
  }

  send(id: number, channel: number): void {
    this.#places.set(id, channel)
    for (const user of this.#subscribers[channel] ?? []) this.#rows[user]?.set(id, false)
  }

  mark(user: number, id: number, isRead: boolean): void {
    if (this.isSubscribed(user, this.#places.get(id) ?? -1)) this.#set(user, id, isRead)
  }

  /** Whether the user holds a message. */
  holds(user: number, id: number): boolean {
    return this.#rows[user]?.has(id) ?? false
  }

  remove(id: number): void {
    this.#places.delete(id)
    for (const rows of this.#rows) rows.delete(id)
  }

  move(ids: readonly number[], to: number): void {
    for (const id of ids) {
      this.#places.set(id, to)
      for (const [user, rows] of this.#rows.entries()) {
        const isSubscribed = this.isSubscribed(user, to)
        if (!isSubscribed && this.#kinds[to] !== 'public') rows.delete(id)
        if (!isSubscribed) this.#set(user, id, true)
        if (isSubscribed && this.#kinds[to] === 'protected' && !rows.has(id)) rows.set(id, true)
      }
    }
  }

  /** What a user holds, oldest first, and whether it is read. */
  heldBy(user: number): { id: number; channel: number; isRead: boolean }[] {
    return [...(this.#rows[user] ?? [])]
      .map(([id, isRead]) => ({ id, channel: this.#places.get(id) ?? -1, isRead }))
      .sort((a, b) => a.id - b.id)
  }

  #set(user: number, id: number, isRead: boolean): void {
    if (this.holds(user, id)) this.#rows[user]?.set(id, isRead)
  }
}
