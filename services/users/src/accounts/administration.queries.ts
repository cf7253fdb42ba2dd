import { Role } from '@tms/contracts'
import { canBeId } from '../kernel/database/column-limits.ts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'

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

/** The IDs of an account's bots and of its owner. They stay valid under `lockAdministration`. */
export async function listBotsAndOwner(tx: PrismaTx, realmId: number, id: number): Promise<number[]> {
  if (!canBeId(id)) return []
  const { rows } = await tx.query<{ id: number }>(
    `select id from accounts where realm_id = $1 and bot_owner_id = $2
     union all
     select bot_owner_id from accounts where realm_id = $1 and id = $2 and bot_owner_id is not null`,
    [realmId, id],
  )
  return rows.map((row) => row.id)
}
