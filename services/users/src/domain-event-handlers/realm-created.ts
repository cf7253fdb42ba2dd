import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Learns of an organization before its first member arrives. */
export const reactToRealmCreated = onDomainEvent(domainEvents.realm.realmCreated, (tx, { projection }) =>
  saveKnownRealm(tx, projection),
)
