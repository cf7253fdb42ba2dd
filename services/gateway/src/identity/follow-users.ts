import type { UsersChanges } from '@tms/contracts'
import type { Follower } from '@tms/service-kit'
import { followInMemory } from './follow-in-memory.ts'

/** Changed identities: users, and organizations with all their users. */
export interface ChangedIdentities {
  readonly userIds: readonly number[]
  readonly realmIds: readonly number[]
}

interface FollowUsersOptions {
  /** Queries users for changes since the cursor of an earlier answer. */
  readonly fetchChanges: (since: string | null) => Promise<{ cursor: string; changes: UsersChanges | null }>
  readonly onChanged: (changed: ChangedIdentities) => void
  /** Called if any user may have changed. */
  readonly onUnknown: () => void
}

/** Drops cached identities as they change. */
export function followUsers({ fetchChanges, onChanged, onUnknown }: FollowUsersOptions): Follower {
  return followInMemory<UsersChanges>({
    source: 'users',
    fetchChanges,
    applyChanges: ({ identity_user_ids: userIds, identity_realm_ids: realmIds }) => {
      if (userIds.length > 0 || realmIds.length > 0) onChanged({ userIds, realmIds })
    },
    onUnknown,
  })
}
