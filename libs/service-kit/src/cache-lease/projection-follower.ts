import type { Pool } from '../postgres/pool.ts'
import { findFollowedPosition, saveCursor, saveFollowedPosition } from './followed-source.queries.ts'
import type { Follower } from './followed-source.ts'
import type { Source } from './lease-store.ts'

/**
 * A source's answer: its changes, null if it no longer knows them or they are too many, and the cursor for the next
 * query.
 */
export interface ChangesSince<Changes> {
  readonly cursor: string
  readonly changes: Changes | null
}

interface ProjectionFollowerOptions<Changes> {
  readonly source: Source
  readonly db: Pool
  readonly fetchChanges: (since: string | null) => Promise<ChangesSince<Changes>>
  /** Applies these changes to projections and caches; they may have been applied already. */
  readonly apply: (changes: Changes) => Promise<void>
  /** Loads everything from the source into the projections. */
  readonly reload: () => Promise<void>
  /** Drops everything cached of the source, because unknown changes were missed. */
  readonly dropCaches: () => void
  /**
   * Runs before the changes are acknowledged, while later ones are applied; null means that anything may have
   * changed.
   */
  readonly beforeAcknowledging?: (changes: Changes | null) => Promise<void>
}

/** Follows a source whose records are projected in the service's database, and saves the position there. */
export function projectionFollower<Changes>(options: ProjectionFollowerOptions<Changes>): Follower {
  const { source, db, fetchChanges, apply, reload, dropCaches } = options
  return {
    source,
    resume: async () => {
      const followed = await findFollowedPosition(db, source)
      // Other replicas may have moved the position beyond what this one cached.
      dropCaches()
      return followed
    },
    beforeAcknowledging: async ({ changes }) => options.beforeAcknowledging?.(changes as Changes | null),
    apply: async ({ epoch, seq, cursor, changes }) => {
      await apply(changes as Changes)
      await saveFollowedPosition(db, source, { epoch, seq, cursor })
    },
    catchUp: async (to) => {
      const followed = await findFollowedPosition(db, source)
      const { cursor, changes } = await fetchChanges(followed?.cursor ?? null)
      if (changes === null) await reload()
      else await apply(changes)
      dropCaches()
      if (to) await saveFollowedPosition(db, source, { epoch: to.epoch, seq: to.seq, cursor })
      else await saveCursor(db, source, cursor)
    },
  }
}
