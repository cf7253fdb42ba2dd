import type { internal } from '@tms/contracts'
import { type InternalHandler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { keepUsers } from './keep-users.ts'
import { settleUser } from './settle-user.ts'

/** Does what the event of a user's change does, before it comes; the event does nothing then. */
export const handleApplyUserChange: InternalHandler<
  typeof internal.messaging.applyUserChange,
  Context
> = async ({ facts }, { db, publish, relay, guestSights }, requestId) => {
  await inTransaction(db, async (tx) => {
    await keepUsers(tx, [facts])
    await settleUser(tx, publish, facts.user_id, requestId)
  })
  relay.wake()
  guestSights.wake()
  return {}
}
