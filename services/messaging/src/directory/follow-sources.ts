import { internal, type RealmChanges, type UsersChanges } from '@tms/contracts'
import {
  type Follower,
  type InternalClient,
  type Loop,
  type Pool,
  type Publish,
  projectionFollower,
} from '@tms/service-kit'
import { applyRealmChanges, applyUsersChanges } from './apply-changes.ts'
import type { DirectoryCaches } from './create-directory.ts'
import { loadRealms, loadUsers } from './load-facts.ts'

interface FollowOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly publish: Publish<'messaging'>
  readonly caches: DirectoryCaches
  /** Tells users whom guests see, which may follow from changes. */
  readonly guestSights: () => Pick<Loop, 'wake'>
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
        guestSights().wake()
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
        guestSights().wake()
      },
      reload: () => loadRealms({ db, call }),
      dropCaches: caches.dropAll,
    }),
  ]
}
