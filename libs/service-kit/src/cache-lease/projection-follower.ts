import type { Pool } from '../postgres/pool.ts'
import { findFollowed, saveCursor, saveFollowed } from './followed-source.queries.ts'
import type { Follower } from './followed-source.ts'
import type { Source } from './lease-store.ts'

/** What a source answers: what changed, null for more than it knows or tells, and where to go on asking. */
export interface ChangesSince<Changes> {
  readonly cursor: string
  readonly changes: Changes | null
}

interface ProjectionFollowerOptions<Changes> {
  readonly source: Source
  readonly db: Pool
  readonly ask: (since: string | null) => Promise<ChangesSince<Changes>>
  /** Brings projections and caches up to these changes; may be given what is applied already. */
  readonly apply: (changes: Changes) => Promise<void>
  /** Brings projections up to everything that the source has now. */
  readonly reload: () => Promise<void>
  /** Drops all that is cached of the source: what else changed isn't known. */
  readonly dropCaches: () => void
  /** What is done before they are acknowledged, while later ones are applied; null: anything may have changed. */
  readonly beforeAcknowledging?: (changes: Changes | null) => Promise<void>
}

/** Follows a source whose data are projected in the service's database, and remembers there up to where. */
export function projectionFollower<Changes>(options: ProjectionFollowerOptions<Changes>): Follower {
  const { source, db, ask, apply, reload, dropCaches } = options
  return {
    source,
    resume: async () => {
      const followed = await findFollowed(db, source)
      // Others may have followed meanwhile what was cached before.
      dropCaches()
      return followed
    },
    beforeAcknowledging: async ({ changes }) => options.beforeAcknowledging?.(changes as Changes | null),
    apply: async ({ epoch, seq, cursor, changes }) => {
      await apply(changes as Changes)
      await saveFollowed(db, source, { epoch, seq, cursor })
    },
    catchUp: async (to) => {
      const followed = await findFollowed(db, source)
      const { cursor, changes } = await ask(followed?.cursor ?? null)
      if (changes === null) await reload()
      else await apply(changes)
      dropCaches()
      if (to) await saveFollowed(db, source, { epoch: to.epoch, seq: to.seq, cursor })
      else await saveCursor(db, source, cursor)
    },
  }
}
