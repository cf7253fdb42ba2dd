import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'

const LOCK = `hashtextextended('administration of ' || $1::integer, 0)`

/**
 * Exclusive lock, for changes of roles, of bots' owners and of people's activity: until the transaction ends, counts of
 * owners stay valid, and so does who owns a bot and who may see an address or a bot.
 */
export async function lockAdministration(tx: PrismaTx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.administration, [realmId, `all of ${realmId}`])
  await tx.query(`select pg_advisory_xact_lock(${LOCK})::text`, [realmId])
}

/**
 * Shared lock, for changes of addresses, their visibility and bots, and for new accounts: these run concurrently with
 * each other but not with what `lockAdministration` is for, which publishes all of them.
 */
export async function shareAdministration(tx: PrismaTx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.administration, [realmId])
  await tx.query(`select pg_advisory_xact_lock_shared(${LOCK})::text`, [realmId])
}
