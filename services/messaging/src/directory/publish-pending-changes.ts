import { inTransaction, type Pool, type Publish } from '@tms/service-kit'
import { listChangedOwners } from '../bots/former-owner.queries.ts'
import { listPendingPolicies } from '../guest-visibility/policy.queries.ts'
import { settlePolicy } from '../guest-visibility/settle-policy.ts'
import { settleUser } from './settle-user.ts'
import { listUntold } from './standing.queries.ts'

/** Tells what follows from facts of users and organizations that came by another way than the stream of facts. */
export async function publishPendingChanges(db: Pool, publish: Publish<'messaging'>): Promise<void> {
  const userIds = new Set([...(await listUntold(db)), ...(await listChangedOwners(db))])
  for (const userId of userIds) {
    await inTransaction(db, (tx) => settleUser(tx, publish, userId, null))
  }
  for (const realmId of await listPendingPolicies(db)) {
    await inTransaction(db, (tx) => settlePolicy(tx, realmId, null))
  }
}
