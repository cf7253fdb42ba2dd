import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** What an organization's settings are from now on. */
export const reactToRealmUpdated = reactTo(domainEvents.realm.realmUpdated, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
