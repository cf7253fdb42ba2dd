/** A level in the order in which the transactions of a service take locks. */
export interface LockLevel {
  readonly name: string
  readonly rank: number
}

/** What `defineLockOrder` is given for each level, first level first. */
export interface LockDeclaration {
  /** What is locked. */
  readonly locks: string
  /** The kind and strength of the locks. */
  readonly mode: string
  /** In which order several locks of the level are taken. */
  readonly order: string
  /** Why it has this place among the levels. */
  readonly reason: string
}

/** Identifies a lock of a level: the ID of the row, or what an advisory lock is named after. */
export type LockKey = number | string

/** A lock that was taken after one of a later level, or out of the order of its level. */
export interface LockViolation {
  readonly level: string
  /** The last level that the transaction had reached. */
  readonly after: string
}

/** Ranks before these are the kit's own: its locks are the first of a transaction. */
const FIRST_RANK = 10

/** Declares the levels of a service: a transaction takes its locks from the first level to the last. */
export function defineLockOrder<Name extends string>(
  declarations: Readonly<Record<Name, LockDeclaration>>,
  firstRank = FIRST_RANK,
): Readonly<Record<Name, LockLevel>> {
  const names = Object.keys(declarations) as Name[]
  const levels = names.map((name, index) => [name, { name, rank: firstRank + index }])
  return Object.fromEntries(levels) as Record<Name, LockLevel>
}

interface HeldLocks {
  readonly level: LockLevel
  /** Undefined stands for all that the transaction may need of the level. */
  readonly keys: readonly LockKey[] | undefined
}

/**
 * The locks that a transaction has taken. A violation is reported, not thrown: the transaction is right, it only might
 * deadlock with another, and then PostgreSQL ends one of the two.
 */
export class LockRecord {
  readonly #held: HeldLocks[] = []
  readonly #onViolation: ((violation: LockViolation) => void) | undefined
  #last: LockLevel | null = null

  constructor(onViolation: ((violation: LockViolation) => void) | undefined) {
    this.#onViolation = onViolation
  }

  /** Call it before the statement that takes the locks. To take again what is held is always fine: it never waits. */
  add(level: LockLevel, keys?: readonly LockKey[]): void {
    const last = this.#last
    if (last !== null && level.rank <= last.rank && !this.#mayFollow(last, level, keys))
      this.#onViolation?.({ level: level.name, after: last.name })
    if (last === null || level.rank > last.rank) this.#last = level
    this.#held.push({ level, keys })
  }

  #mayFollow(last: LockLevel, level: LockLevel, keys: readonly LockKey[] | undefined): boolean {
    const held = this.#held.filter((locks) => locks.level === level)
    if (held.some((locks) => locks.keys === undefined)) return true
    if (keys === undefined) return false
    const heldKeys = new Set(held.flatMap((locks) => locks.keys ?? []))
    const added = keys.filter((key) => !heldKeys.has(key))
    return added.length === 0 || (level === last && isAfter(added, heldKeys))
  }
}

/** Whether all keys are higher than those that are held. Only numbers have an order. */
function isAfter(added: readonly LockKey[], held: ReadonlySet<LockKey>): boolean {
  const isHigher = (key: LockKey): boolean =>
    typeof key === 'number' && [...held].every((other) => typeof other === 'number' && other < key)
  return added.every(isHigher)
}
