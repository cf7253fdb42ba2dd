import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Lets nobody in any more. */
export const reactToRealmDeactivated = onDomainEvent(
  domainEvents.realm.realmDeactivated,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
