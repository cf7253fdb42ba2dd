import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Lets nobody in any more, should the word that came before the event have been lost. */
export const reactToRealmDeactivated = reactTo(domainEvents.realm.realmDeactivated, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
