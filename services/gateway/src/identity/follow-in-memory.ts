import type { Follower } from '@tms/service-kit'

interface FollowOptions<Changes> {
  readonly source: Follower['source']
  /** Asks the source what changed since the cursor of an earlier answer. */
  readonly ask: (since: string | null) => Promise<{ cursor: string; changes: Changes | null }>
  /** Drops what these changes made stale. */
  readonly take: (changes: Changes) => void
  /** Drops everything: anything may have changed. */
  readonly onUnknown: () => void
}

/** Follows a source of which there is nothing but caches in memory: it begins with nothing, and keeps no projection. */
export function followInMemory<Changes>({ source, ask, take, onUnknown }: FollowOptions<Changes>): Follower {
  let cursor: string | null = null
  return {
    source,
    resume: async () => null,
    apply: async (announcement) => {
      take(announcement.changes as Changes)
      cursor = announcement.cursor
    },
    catchUp: async () => {
      if (cursor === null) {
        // Nothing is cached that anybody could have changed.
        onUnknown()
        cursor = await ask(null).then(
          (answer) => answer.cursor,
          () => null,
        )
        return
      }
      const answer = await ask(cursor)
      if (answer.changes) take(answer.changes)
      else onUnknown()
      cursor = answer.cursor
    },
  }
}
