import { defineLockOrder } from '@tms/service-kit'

/**
 * The locks of this service's transactions: one level, since every change of an organization or its parts locks that
 * organization and nothing else.
 */
export const locks = defineLockOrder({
  organizations: {
    locks: 'an organization with its parts',
    mode: 'row of realms, for update',
    order: 'one for each transaction',
    reason: 'it puts all changes of an organization in order',
  },
})
