import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Lets people in again. */
export const reactToRealmReactivated = reactTo(domainEvents.realm.realmReactivated, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
