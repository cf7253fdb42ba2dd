import type { LastSeen, SeenUser, SeenUsers } from './seen-users.ts'

/** A client's status, or that the user starts or stops showing presence. */
type Note = 'active' | 'idle' | 'shown' | 'hidden'

export interface PresenceReading {
  /** Whether the user was absent, or not active for a while. */
  readonly cameOnline: boolean
  /** ID of the latest update in the organization; -1 for none. */
  readonly lastUpdateId: number
  readonly lastSeen: readonly SeenUser[]
}

/** Presence, stored in Redis alone: lost data returns with the next ping. Rejects if Redis is down. */
export interface PresenceStore {
  /**
   * Records a note, if any, and reads the users seen after the update `since`; none if that is null. One round trip,
   * whose cost grows with the users read.
   */
  note(
    realmId: number,
    at: Date,
    request: {
      readonly user: { id: number; note: Note } | null
      readonly since: number | null
    },
  ): Promise<PresenceReading>
  /**
   * Records a note, if any, and reads all users seen in the last `historySeconds`, and perhaps earlier ones. Costs as much as has changed
   * since the last call of this process.
   */
  noteAndReadAll(
    realmId: number,
    at: Date,
    request: { readonly user: { id: number; note: Note } | null; readonly historySeconds: number },
  ): Promise<{ readonly cameOnline: boolean; readonly seen: SeenUsers }>
  /** Null if the user was not seen recently. */
  find(realmId: number, userId: number): Promise<LastSeen | null>
  /** Those of these users that were seen recently. */
  findAll(realmId: number, userIds: readonly number[]): Promise<LastSeen[]>
  /** Deletes the presence of everyone in an organization. Returns how many keys there were. */
  forget(realmId: number): Promise<number>
}
