import { Role } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'

/**
 * Lets one transaction at a time change roles and activity in an organization, so that what it finds out of them
 * holds until it ends: of two owners who unmake each other, one comes too late. Take it before any row's lock.
 */
export async function lockAdministration(tx: PrismaTx, realmId: number): Promise<void> {
  const sql = `select pg_advisory_xact_lock(hashtextextended('administration of ' || $1::integer, 0))::text`
  await asTx(tx).query(sql, [realmId])
}

/** Active people, without bots, who are owners beside this one. Needs the lock of administration. */
export async function countOtherOwners(tx: PrismaTx, realmId: number, id: number): Promise<number> {
  return countOthers(tx, realmId, id, Role.owner)
}

/** Active people, without bots, beside this one. Needs the lock of administration. */
export async function countOtherPeople(tx: PrismaTx, realmId: number, id: number): Promise<number> {
  return countOthers(tx, realmId, id, Role.guest)
}

function countOthers(tx: PrismaTx, realmId: number, id: number, roleAtMost: number): Promise<number> {
  const others = { realmId, id: { not: id }, role: { lte: roleAtMost }, isActive: true, isBot: false }
  return tx.account.count({ where: others })
}

/** A person's active bots, lowest ID first. */
export async function listActiveBotIds(tx: PrismaTx, realmId: number, ownerId: number): Promise<number[]> {
  const bots = await tx.account.findMany({
    where: { realmId, botOwnerId: ownerId, isActive: true },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  return bots.map(({ id }) => id)
}
