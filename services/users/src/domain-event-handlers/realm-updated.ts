import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** What an organization's settings are from now on. */
export const reactToRealmUpdated = onDomainEvent(domainEvents.realm.realmUpdated, (tx, { projection }) =>
  saveKnownRealm(tx, projection),
)
