import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../kernel/realms/known-realm.queries.ts'

/** Pages show the organization's picture. */
export const onRealmPictureChanged = onDomainEvent(
  domainEvents.realm.realmPictureChanged,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
