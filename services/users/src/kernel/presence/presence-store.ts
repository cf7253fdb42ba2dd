/** When a user was last active and last connected, in UNIX seconds. */
export interface LastSeen {
  readonly userId: number
  /** Null if the user was never active. */
  readonly activeAt: number | null
  readonly connectedAt: number
}

/** A client's status, or that the user starts or stops showing presence. */
type Note = 'active' | 'idle' | 'shown' | 'hidden'

export interface PresenceReading {
  /** Whether the user was absent, or not active for a while. */
  readonly cameOnline: boolean
  /** ID of the latest update in the organization; -1 for none. */
  readonly lastUpdateId: number
  readonly lastSeen: readonly LastSeen[]
}

/** Presence, stored in Redis alone: lost data returns with the next ping. Rejects if Redis is down. */
export interface PresenceStore {
  /**
   * Records a note, if any, and reads the users seen after the update `since`; none if that is null. One round trip,
   * whose cost grows with the users read. From the beginning (0 or less), only users seen in the last
   * `historySeconds` are read.
   */
  note(
    realmId: number,
    at: Date,
    request: {
      readonly user: { id: number; note: Note } | null
      readonly since: number | null
      readonly historySeconds?: number
    },
  ): Promise<PresenceReading>
  /** Null if the user was not seen recently. */
  find(realmId: number, userId: number): Promise<LastSeen | null>
  /** Those of these users that were seen recently. */
  findAll(realmId: number, userIds: readonly number[]): Promise<LastSeen[]>
  /** Deletes the presence of everyone in an organization. Returns how many keys there were. */
  forget(realmId: number): Promise<number>
}
