import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Lets people in again. */
export const reactToRealmReactivated = onDomainEvent(
  domainEvents.realm.realmReactivated,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
