import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Lets nobody in any more. */
export const reactToRealmDeactivated = reactTo(domainEvents.realm.realmDeactivated, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
