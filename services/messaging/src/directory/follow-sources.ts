import { internal, type RealmChanges, type UsersChanges } from '@tms/contracts'
import {
  type Follower,
  type InternalClient,
  type Logger,
  type Pool,
  type Publish,
  projectionFollower,
} from '@tms/service-kit'
import type { GuestVisibilityPublisher } from '../guest-visibility/start-telling.ts'
import {
  applyRealmChanges,
  applyUsersChanges,
  settleRealmChanges,
  settleUsersChanges,
} from './apply-changes.ts'
import type { DirectoryCaches } from './create-directory.ts'
import { loadRealms, loadUsers } from './load-projections.ts'

/** Shorter than the wait of who announced the change: while users is away, it is told later. */
const UNTIL_PUBLISHED_MS = 1_500

interface FollowOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly publish: Publish<'messaging'>
  readonly log: Logger
  readonly caches: DirectoryCaches
  /** Has users know whom guests see, which may follow from changes. */
  readonly guestVisibility: () => Pick<GuestVisibilityPublisher, 'waitUntilAllPublished'>
}

/** Has in force here what users and realm change. */
export function followSources({
  db,
  call,
  publish,
  caches,
  guestVisibility,
  log,
}: FollowOptions): Follower[] {
  const tools = { db, publish, log }
  return [
    projectionFollower<UsersChanges>({
      source: 'users',
      db,
      ask: (since) => call(internal.users.listUsersChanges, { since }),
      apply: async (changes) => {
        await applyUsersChanges(db, changes)
        caches.dropUsers(changes)
      },
      reload: () => loadUsers({ db, call }),
      dropCaches: caches.dropAll,
      beforeAcknowledging: async (changes) => {
        await settleUsersChanges(tools, changes)
        await guestVisibility().waitUntilAllPublished(UNTIL_PUBLISHED_MS)
      },
    }),
    projectionFollower<RealmChanges>({
      source: 'realm',
      db,
      ask: (since) => call(internal.realm.listRealmChanges, { since }),
      apply: async (changes) => {
        await applyRealmChanges(db, changes)
        caches.dropRealms(changes.realms.map(({ realm_id }) => realm_id))
      },
      reload: () => loadRealms({ db, call }),
      dropCaches: caches.dropAll,
      beforeAcknowledging: async (changes) => {
        await settleRealmChanges(tools, changes)
        await guestVisibility().waitUntilAllPublished(UNTIL_PUBLISHED_MS)
      },
    }),
  ]
}
