import type { AddressConfirmation } from '../generated/prisma/client.ts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'
import { locks } from '../kernel/locks.ts'

export async function insertConfirmation(tx: PrismaTx, confirmation: AddressConfirmation): Promise<void> {
  await tx.addressConfirmation.create({ data: confirmation, select: { keyHash: true } })
}

/** Null if unknown or expired. */
export function findConfirmation(
  db: PrismaDb,
  realmId: number,
  keyHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<AddressConfirmation | null> {
  return db.addressConfirmation.findFirst({ where: { keyHash, realmId, expiresAt: { gt: now } } })
}

export async function deleteConfirmation(tx: PrismaTx, keyHash: Uint8Array<ArrayBuffer>): Promise<void> {
  await tx.addressConfirmation.deleteMany({ where: { keyHash } })
}

/** Locks the confirmation until the transaction ends. */
export async function lockConfirmation(tx: PrismaTx, keyHash: Uint8Array<ArrayBuffer>): Promise<void> {
  tx.lockRecord.add(locks.invitations)
  await tx.$queryRaw`select realm_id from address_confirmations where key_hash = ${keyHash} for update`
}
