import type { RealmChanges } from '@tms/contracts'
import type { Follower } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { followInMemory } from './follow-in-memory.ts'

const MAX_KNOWN = 10_000

interface FollowRealmOptions {
  /** Queries realm for changes since the cursor of an earlier answer. */
  readonly fetchChanges: (since: string | null) => Promise<{ cursor: string; changes: RealmChanges | null }>
  /** Receives organizations whose users must all be identified again. */
  readonly onChanged: (realmIds: readonly number[]) => void
  /** Called if any organization may have changed. */
  readonly onUnknown: () => void
}

/**
 * Drops the identities of organizations that are deactivated, reactivated or moved, even if users doesn't know of it
 * yet. Other changes of an organization, usually settings, don't concern identities.
 */
export function followRealm({ fetchChanges, onChanged, onUnknown }: FollowRealmOptions): Follower {
  const lastState = new LRUCache<number, string>({ max: MAX_KNOWN })
  const applyChanges = ({ realms }: RealmChanges) => {
    const changed = realms.filter(({ realm_id, is_active, string_id }) => {
      const before = lastState.get(realm_id)
      const now = `${is_active} ${string_id}`
      lastState.set(realm_id, now)
      return before === undefined ? !is_active : before !== now
    })
    if (changed.length > 0) onChanged(changed.map(({ realm_id }) => realm_id))
  }
  return followInMemory<RealmChanges>({
    source: 'realm',
    fetchChanges,
    applyChanges,
    onUnknown: () => {
      lastState.clear()
      onUnknown()
    },
  })
}
