import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** `realm_user` `update` of each delivery e-mail that becomes visible; null for one that becomes invisible. */
export const presentEmailVisibilityChanged = present(domainEvents.users.emailVisibilityChanged, {
  list: ({ addresses }) => addresses.map((_, index) => ({ index, type: 'realm_user' })),
  write: ({ addresses }, index) => fieldsOf({ type: 'realm_user', op: 'update', person: addresses[index] }),
})
