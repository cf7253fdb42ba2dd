/** Which messages of a channel its readers may see. */
export type Kind = 'public' | 'shared' | 'protected'

/** The simplest model of received and read messages: a row for each recipient. */
export class ReceiptsModel {
  readonly #kinds: readonly Kind[]
  readonly #subscribers: readonly Set<number>[]
  /** Channel of each message. */
  readonly #channels = new Map<number, number>()
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

  /** Messages in a channel, ascending. */
  messagesIn(channel: number): number[] {
    return [...this.#channels].filter(([, messageChannel]) => messageChannel === channel).map(([id]) => id)
  }

  subscribe(user: number, channel: number): void {
    this.#subscribers[channel]?.add(user)
  }

  /** Leaving marks everything there as read. */
  unsubscribe(user: number, channel: number): void {
    this.#subscribers[channel]?.delete(user)
    for (const id of this.messagesIn(channel)) this.#set(user, id, true)
  }

  send(id: number, channel: number): void {
    this.#channels.set(id, channel)
    for (const user of this.#subscribers[channel] ?? []) this.#rows[user]?.set(id, false)
  }

  mark(user: number, id: number, isRead: boolean): void {
    if (this.isSubscribed(user, this.#channels.get(id) ?? -1)) this.#set(user, id, isRead)
  }

  /** Whether the user has a message. */
  hasMessage(user: number, id: number): boolean {
    return this.#rows[user]?.has(id) ?? false
  }

  remove(id: number): void {
    this.#channels.delete(id)
    for (const rows of this.#rows) rows.delete(id)
  }

  move(ids: readonly number[], to: number): void {
    for (const id of ids) {
      this.#channels.set(id, to)
      for (const [user, rows] of this.#rows.entries()) {
        const isSubscribed = this.isSubscribed(user, to)
        if (!isSubscribed && this.#kinds[to] !== 'public') rows.delete(id)
        if (!isSubscribed) this.#set(user, id, true)
        if (isSubscribed && this.#kinds[to] === 'protected' && !rows.has(id)) rows.set(id, true)
      }
    }
  }

  /** The messages of a user, from oldest to newest, and whether they are read. */
  messagesOf(user: number): { id: number; channel: number; isRead: boolean }[] {
    return [...(this.#rows[user] ?? [])]
      .map(([id, isRead]) => ({ id, channel: this.#channels.get(id) ?? -1, isRead }))
      .sort((a, b) => a.id - b.id)
  }

  #set(user: number, id: number, isRead: boolean): void {
    if (this.hasMessage(user, id)) this.#rows[user]?.set(id, isRead)
  }
}
