import type { PasswordReset } from '../generated/prisma/client.ts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'

export async function insertPasswordReset(tx: PrismaTx, reset: PasswordReset): Promise<void> {
  await tx.passwordReset.create({ data: reset, select: { keyHash: true } })
}

/** Null if unknown or expired. */
export function findReset(
  db: PrismaDb,
  keyHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<PasswordReset | null> {
  return db.passwordReset.findFirst({ where: { keyHash, expiresAt: { gt: now } } })
}
