/** When a user was last active and last connected, in UNIX seconds. */
export interface LastSeen {
  readonly userId: number
  /** Null if the user was never active. */
  readonly activeAt: number | null
  readonly connectedAt: number
}

/** A user as one update left them. `updateId` is the time of the update in milliseconds, or a little more. */
export interface SeenUser extends LastSeen {
  readonly updateId: number
}

/** Looking for users to drop costs as much as there are. */
const DROP_EVERY_MS = 600_000

/** The users of an organization who were seen lately, kept by the updates that each call of Redis brings. */
export class SeenUsers {
  readonly #users = new Map<number, SeenUser>()
  #lastUpdateId: number
  #version = 0
  #droppedUpTo = 0

  /** Of Redis' data; another one doesn't follow from this one by updates. */
  readonly generation: string

  /** As of an update; its users are applied next. */
  constructor(lastUpdateId: number, generation: string) {
    this.#lastUpdateId = lastUpdateId
    this.generation = generation
  }

  get lastUpdateId(): number {
    return this.#lastUpdateId
  }

  /** Changes with every change of a user. */
  get version(): number {
    return this.#version
  }

  get users(): ReadonlyMap<number, SeenUser> {
    return this.#users
  }

  /** Applies updates up to `lastUpdateId`. Answers may be applied in any order, and again. */
  apply(updates: readonly SeenUser[], lastUpdateId: number): void {
    for (const update of updates) {
      if ((this.#users.get(update.userId)?.updateId ?? -1) >= update.updateId) continue
      this.#users.set(update.userId, update)
      this.#version++
    }
    this.#lastUpdateId = Math.max(this.#lastUpdateId, lastUpdateId)
  }

  /** Removes users who were not updated since, now and then. */
  dropUpTo(before: number): void {
    if (before - this.#droppedUpTo < DROP_EVERY_MS) return
    this.#droppedUpTo = before
    for (const { userId, updateId } of this.#users.values())
      if (updateId <= before && this.#users.delete(userId)) this.#version++
  }
}
