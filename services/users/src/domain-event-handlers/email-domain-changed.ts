import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Whose addresses may join from now on, where only those of some domains may. */
export const reactToEmailDomainChanged = onDomainEvent(
  domainEvents.realm.emailDomainChanged,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
