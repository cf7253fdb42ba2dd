import type { Follower } from '@tms/service-kit'

interface FollowInMemoryOptions<Changes> {
  readonly source: Follower['source']
  /** Queries the source for changes since the cursor of an earlier answer. */
  readonly fetchChanges: (since: string | null) => Promise<{ cursor: string; changes: Changes | null }>
  /** Drops what these changes made stale. */
  readonly applyChanges: (changes: Changes) => void
  /** Drops everything: anything may have changed. */
  readonly onUnknown: () => void
}

/** Follows a source that is only cached in memory: it starts without a position, and saves none. */
export function followInMemory<Changes>({
  source,
  fetchChanges,
  applyChanges,
  onUnknown,
}: FollowInMemoryOptions<Changes>): Follower {
  let cursor: string | null = null
  return {
    source,
    resume: async () => null,
    apply: async (announcement) => {
      applyChanges(announcement.changes as Changes)
      cursor = announcement.cursor
    },
    catchUp: async () => {
      if (cursor === null) {
        // Nothing is cached yet that a change could have made stale.
        onUnknown()
        cursor = await fetchChanges(null).then(
          (answer) => answer.cursor,
          () => null,
        )
        return
      }
      const answer = await fetchChanges(cursor)
      if (answer.changes) applyChanges(answer.changes)
      else onUnknown()
      cursor = answer.cursor
    },
  }
}
