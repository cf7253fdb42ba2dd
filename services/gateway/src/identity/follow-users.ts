import type { UsersChanges } from '@tms/contracts'
import type { Follower } from '@tms/service-kit'

/** Of which identities something else is true: users, and organizations with all their users. */
export interface Changed {
  readonly userIds: readonly number[]
  readonly realmIds: readonly number[]
}

interface FollowOptions {
  /** Asks users what changed since the cursor of an earlier answer. */
  readonly ask: (since: string | null) => Promise<{ cursor: string; changes: UsersChanges | null }>
  readonly onChanged: (changed: Changed) => void
  /** Called where anybody may have changed. */
  readonly onUnknown: () => void
}

/** Drops what a gateway caches of identities as they change. It begins with nothing, and keeps no projection. */
export function followUsers({ ask, onChanged, onUnknown }: FollowOptions): Follower {
  let cursor: string | null = null
  const take = ({ identity_user_ids: userIds, identity_realm_ids: realmIds }: UsersChanges) => {
    if (userIds.length > 0 || realmIds.length > 0) onChanged({ userIds, realmIds })
  }
  return {
    source: 'users',
    resume: async () => null,
    apply: async (announcement) => {
      take(announcement.changes as UsersChanges)
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
