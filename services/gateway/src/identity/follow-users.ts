import type { UsersChanges } from '@tms/contracts'
import type { Follower } from '@tms/service-kit'
import { followInMemory } from './follow-in-memory.ts'

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

/** Drops what a gateway caches of identities as they change. */
export function followUsers({ ask, onChanged, onUnknown }: FollowOptions): Follower {
  return followInMemory<UsersChanges>({
    source: 'users',
    ask,
    take: ({ identity_user_ids: userIds, identity_realm_ids: realmIds }) => {
      if (userIds.length > 0 || realmIds.length > 0) onChanged({ userIds, realmIds })
    },
    onUnknown,
  })
}
