import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Which picture of the organization pages show from now on. */
export const reactToRealmPictureChanged = onDomainEvent(
  domainEvents.realm.realmPictureChanged,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
