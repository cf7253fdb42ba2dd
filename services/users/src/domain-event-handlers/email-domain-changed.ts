import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../kernel/realms/known-realm.queries.ts'

/** Allowed domains decide which addresses may join. */
export const onEmailDomainChanged = onDomainEvent(
  domainEvents.realm.emailDomainChanged,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
