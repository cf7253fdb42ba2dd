import { type Pool, type Publish, transact } from '@tms/service-kit'
import { listChangedOwners } from '../bots/former-owner.queries.ts'
import { listPendingPolicies } from '../guest-visibility/policy.queries.ts'
import { queueGuestPolicyChange } from '../guest-visibility/queue-policy-change.ts'
import { listUsersWithPendingMembership } from '../kernel/projections/published-membership.queries.ts'
import { publishUserChanges } from './publish-user-changes.ts'

/**
 * Publishes what follows from changes of users and organizations that did not arrive as events, such as by a reload.
 */
export async function publishPendingChanges(db: Pool, publish: Publish<'messaging'>): Promise<void> {
  const userIds = new Set([...(await listUsersWithPendingMembership(db)), ...(await listChangedOwners(db))])
  for (const userId of userIds) {
    await transact(db, (tx) => publishUserChanges(tx, publish, userId, null))
  }
  for (const realmId of await listPendingPolicies(db)) {
    await transact(db, (tx) => queueGuestPolicyChange(tx, realmId, null))
  }
}
