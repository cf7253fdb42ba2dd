import type { RealmChanges } from '@tms/contracts'
import type { Follower } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { followInMemory } from './follow-in-memory.ts'

const MAX_KNOWN = 10_000

interface FollowOptions {
  /** Asks realm what changed since the cursor of an earlier answer. */
  readonly ask: (since: string | null) => Promise<{ cursor: string; changes: RealmChanges | null }>
  /** Gets organizations of whose users all must be identified anew. */
  readonly onChanged: (realmIds: readonly number[]) => void
  /** Called where any organization may have changed. */
  readonly onUnknown: () => void
}

/**
 * Drops the identities of organizations that are deactivated, reactivated or moved, whether users knows of it yet or not. What else
 * changes of an organization, mostly settings, doesn't concern them.
 */
export function followRealm({ ask, onChanged, onUnknown }: FollowOptions): Follower {
  const known = new LRUCache<number, string>({ max: MAX_KNOWN })
  const take = ({ realms }: RealmChanges) => {
    const changed = realms.filter(({ realm_id, is_active, string_id }) => {
      const before = known.get(realm_id)
      const now = `${is_active} ${string_id}`
      known.set(realm_id, now)
      return before === undefined ? !is_active : before !== now
    })
    if (changed.length > 0) onChanged(changed.map(({ realm_id }) => realm_id))
  }
  return followInMemory<RealmChanges>({
    source: 'realm',
    ask,
    take,
    onUnknown: () => {
      known.clear()
      onUnknown()
    },
  })
}
