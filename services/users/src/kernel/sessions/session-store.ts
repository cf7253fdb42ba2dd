/** A session of a browser, as it is stored. Times are UNIX seconds. */
export interface StoredSession {
  /** Hash of the secret that only the browser has. */
  readonly idHash: string
  /** Those of the account and the organization at its beginning: it is valid while they are the same. */
  readonly accountGeneration: number
  readonly realmGeneration: number
  /** How the user signed in: `password`, or the name of an external method. */
  readonly method: string
  /** What the method needs to know later, such as the session at its own site. */
  readonly details: Readonly<Record<string, string>>
  readonly userAgent: string
  readonly address: string
  readonly beganAt: number
  readonly usedAt: number
}

/** The account that sessions belong to. */
export interface SessionOwner {
  readonly realmId: number
  readonly userId: number
}

/** Sessions, stored in Redis alone: if it loses them, users sign in again. Rejects if Redis is down. */
export interface SessionStore {
  /** Stores a session. Of an account with very many, it removes the oldest. */
  add(owner: SessionOwner, session: StoredSession): Promise<void>
  /** Null if it has ended or is too old. */
  find(owner: SessionOwner, idHash: string, now: Date): Promise<StoredSession | null>
  /** The newest first. */
  list(owner: SessionOwner, now: Date): Promise<StoredSession[]>
  /** Notes when the session was used last. Does nothing if it has ended meanwhile. */
  touch(owner: SessionOwner, session: StoredSession): Promise<void>
  remove(owner: SessionOwner, idHashes: readonly string[]): Promise<void>
  removeAll(owner: SessionOwner): Promise<void>
  /** Removes those of everyone in an organization. Returns how many keys there were. */
  forget(realmId: number): Promise<number>
}
