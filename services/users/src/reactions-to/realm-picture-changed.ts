import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Which picture of the organization pages show from now on. */
export const reactToRealmPictureChanged = reactTo(domainEvents.realm.realmPictureChanged, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
