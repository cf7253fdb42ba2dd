import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../kernel/realms/known-realm.queries.ts'

export const onRealmDeactivated = onDomainEvent(domainEvents.realm.realmDeactivated, (tx, { projection }) =>
  saveKnownRealm(tx, projection),
)
