import { inTransaction, type Pool, type Publish } from '@tms/service-kit'
import { listUntoldPolicies } from '../guest-sights/policy.queries.ts'
import { settlePolicy } from '../guest-sights/settle-policy.ts'
import { settleStanding } from './settle-standing.ts'
import { listUntold } from './standing.queries.ts'

/** Tells what follows from facts of users and organizations that came by another way than the stream of facts. */
export async function settleUntold(db: Pool, publish: Publish<'messaging'>): Promise<void> {
  for (const userId of await listUntold(db)) {
    await inTransaction(db, (tx) => settleStanding(tx, publish, userId, null))
  }
  for (const realmId of await listUntoldPolicies(db)) {
    await inTransaction(db, (tx) => settlePolicy(tx, realmId, null))
  }
}
