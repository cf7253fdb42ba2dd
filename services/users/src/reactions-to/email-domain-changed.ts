import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Whose addresses may join from now on, where only those of some domains may. */
export const reactToEmailDomainChanged = reactTo(domainEvents.realm.emailDomainChanged, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
