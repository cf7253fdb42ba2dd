import { internal, type RealmChanges, type UsersChanges } from '@tms/contracts'
import {
  type Follower,
  type InternalClient,
  type Pool,
  type Publish,
  projectionFollower,
} from '@tms/service-kit'
import type { TellingOfSights } from '../guest-sights/start-telling.ts'
import { applyRealmChanges, applyUsersChanges } from './apply-changes.ts'
import type { DirectoryCaches } from './create-directory.ts'
import { loadRealms, loadUsers } from './load-facts.ts'

/** Shorter than the wait of who announced the change: while users is away, it is told later. */
const UNTIL_TOLD_MS = 1_500

interface FollowOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly publish: Publish<'messaging'>
  readonly caches: DirectoryCaches
  /** Has users know whom guests see, which may follow from changes. */
  readonly guestSights: () => Pick<TellingOfSights, 'untilAllTold'>
}

/** Has in force here what users and realm change. */
export function followSources({ db, call, publish, caches, guestSights }: FollowOptions): Follower[] {
  return [
    projectionFollower<UsersChanges>({
      source: 'users',
      db,
      ask: (since) => call(internal.users.listUsersChanges, { since }),
      apply: async (changes) => {
        await applyUsersChanges(db, publish, changes)
        caches.dropUsers(changes)
        await guestSights().untilAllTold(UNTIL_TOLD_MS)
      },
      reload: () => loadUsers({ db, call, publish }),
      dropCaches: caches.dropAll,
    }),
    projectionFollower<RealmChanges>({
      source: 'realm',
      db,
      ask: (since) => call(internal.realm.listRealmChanges, { since }),
      apply: async (changes) => {
        await applyRealmChanges(db, changes)
        caches.dropRealms(changes.realms.map(({ realm_id }) => realm_id))
        await guestSights().untilAllTold(UNTIL_TOLD_MS)
      },
      reload: () => loadRealms({ db, call }),
      dropCaches: caches.dropAll,
    }),
  ]
}
