import { domainEvents, internal } from '@tms/contracts'
import { type ProjectionOwner, projectionOwner } from '@tms/service-kit'
import type { GuestVisibilityPublisher } from '../kernel/guest-visibility/guest-visibility-publisher.ts'
import type { ProjectionCaches } from './create-projection-reader.ts'
import { knownGroups } from './group-projection.ts'
import { knownRealms } from './realm-projection.ts'
import { knownUsers } from './user-projection.ts'

/** Shorter than the announcing service waits. While users does not answer, the change is published later. */
const UNTIL_PUBLISHED_MS = 1_500

interface OwnersOptions {
  readonly caches: () => ProjectionCaches
  /** Publishes changes of guest visibility to users. */
  readonly guestVisibility: Pick<GuestVisibilityPublisher, 'waitUntilAllPublished'>
}

/** The services whose records messaging projects. */
export function projectionOwners({ caches, guestVisibility }: OwnersOptions): readonly ProjectionOwner[] {
  const beforeAcknowledging = () => guestVisibility.waitUntilAllPublished(UNTIL_PUBLISHED_MS)
  return [
    projectionOwner({
      source: 'realm',
      events: Object.values(domainEvents.realm),
      changes: internal.realm.listRealmChanges,
      projections: [knownRealms],
      dropCaches: (changes) => {
        if (changes) caches().dropRealms(changes.realms.map(({ realm_id }) => realm_id))
        else caches().dropAll()
      },
      beforeAcknowledging,
    }),
    projectionOwner({
      source: 'users',
      events: Object.values(domainEvents.users),
      changes: internal.users.listUsersChanges,
      projections: [knownUsers, knownGroups],
      dropCaches: (changes) => {
        if (changes) caches().dropUsers(changes)
        else caches().dropAll()
      },
      beforeAcknowledging,
    }),
  ]
}
