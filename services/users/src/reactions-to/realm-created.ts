import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Learns of an organization before its first member arrives. */
export const reactToRealmCreated = reactTo(domainEvents.realm.realmCreated, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
