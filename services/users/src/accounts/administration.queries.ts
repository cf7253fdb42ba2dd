import { Role } from '@tms/contracts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'
import { locks } from '../kernel/locks.ts'

/**
 * Serializes changes of roles and activity within an organization, so that counts of owners stay valid until the
 * transaction ends. Otherwise two owners could demote each other.
 */
export async function lockAdministration(tx: PrismaTx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.administration, [realmId])
  const sql = `select pg_advisory_xact_lock(hashtextextended('administration of ' || $1::integer, 0))::text`
  await tx.query(sql, [realmId])
}

/** Counts other active owners, without bots. Needs `lockAdministration`. */
export async function countOtherOwners(tx: PrismaTx, realmId: number, id: number): Promise<number> {
  return countOthers(tx, realmId, id, Role.owner)
}

/** Counts other active users, without bots. Needs `lockAdministration`. */
export async function countOtherUsers(tx: PrismaTx, realmId: number, id: number): Promise<number> {
  return countOthers(tx, realmId, id, Role.guest)
}

function countOthers(tx: PrismaTx, realmId: number, id: number, roleAtMost: number): Promise<number> {
  const others = { realmId, id: { not: id }, role: { lte: roleAtMost }, isActive: true, isBot: false }
  return tx.account.count({ where: others })
}

/** Whether the organization has an account that isn't a bot. */
export async function hasUsers(db: PrismaDb, realmId: number): Promise<boolean> {
  return (await db.account.findFirst({ where: { realmId, isBot: false }, select: { id: true } })) !== null
}
