import { defineLockOrder } from './lock-order.ts'

/** Locks of the kit itself, in every service. They come first in a transaction, before the levels of the service. */
export const kitLocks = defineLockOrder(
  {
    projectionPosition: {
      locks: "a stream's position in the projections of a service",
      mode: 'row of projection_position, for update; advisory until there is one',
      order: 'one for each transaction',
      reason: 'it decides whether an entry is applied at all',
    },
    import: {
      locks: 'the import of an organization',
      mode: 'advisory, exclusive',
      order: 'one for each transaction',
      reason: 'an import and its removal exclude each other as a whole',
    },
  },
  0,
)
