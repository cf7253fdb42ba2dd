import { internal, type RealmChanges, type UsersChanges } from '@tms/contracts'
import {
  type Follower,
  type InternalClient,
  type Logger,
  type Pool,
  type Publish,
  projectionFollower,
} from '@tms/service-kit'
import type { GuestVisibilityPublisher } from '../kernel/guest-visibility/guest-visibility-publisher.ts'
import {
  applyRealmChanges,
  applyUsersChanges,
  publishEffectsOfRealmChanges,
  publishEffectsOfUsersChanges,
} from './apply-changes.ts'
import type { ProjectionCaches } from './create-projection-reader.ts'
import { loadRealms, loadUsers } from './load-projections.ts'

/** Shorter than the announcing service waits. While users does not answer, the change is published later. */
const UNTIL_PUBLISHED_MS = 1_500

interface FollowOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly publish: Publish<'messaging'>
  readonly log: Logger
  readonly caches: ProjectionCaches
  /** Publishes changes of guest visibility to users. */
  readonly guestVisibility: () => Pick<GuestVisibilityPublisher, 'waitUntilAllPublished'>
}

/** Applies changes of users and realm here as soon as they are announced. */
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
      fetchChanges: (since) => call(internal.users.listUsersChanges, { since }),
      apply: async (changes) => {
        await applyUsersChanges(db, changes)
        caches.dropUsers(changes)
      },
      reload: () => loadUsers({ db, call }),
      dropCaches: caches.dropAll,
      beforeAcknowledging: async (changes) => {
        await publishEffectsOfUsersChanges(tools, changes)
        await guestVisibility().waitUntilAllPublished(UNTIL_PUBLISHED_MS)
      },
    }),
    projectionFollower<RealmChanges>({
      source: 'realm',
      db,
      fetchChanges: (since) => call(internal.realm.listRealmChanges, { since }),
      apply: async (changes) => {
        await applyRealmChanges(db, changes)
        caches.dropRealms(changes.realms.map(({ realm_id }) => realm_id))
      },
      reload: () => loadRealms({ db, call }),
      dropCaches: caches.dropAll,
      beforeAcknowledging: async (changes) => {
        await publishEffectsOfRealmChanges(tools, changes)
        await guestVisibility().waitUntilAllPublished(UNTIL_PUBLISHED_MS)
      },
    }),
  ]
}
