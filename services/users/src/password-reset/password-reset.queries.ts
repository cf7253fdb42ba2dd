import type { PrismaTx } from '../context.ts'
import type { PasswordReset, PrismaClient } from '../generated/prisma/client.ts'

export async function insertPasswordReset(tx: PrismaTx, reset: PasswordReset): Promise<void> {
  await tx.passwordReset.create({ data: reset, select: { keyHash: true } })
}

/** What the key resets, unless it has expired. */
export function findReset(
  db: PrismaClient | PrismaTx,
  keyHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<PasswordReset | null> {
  return db.passwordReset.findFirst({ where: { keyHash, expiresAt: { gt: now } } })
}

/** Voids every key of an account. */
export async function deletePasswordResets(tx: PrismaTx, accountId: number): Promise<void> {
  await tx.passwordReset.deleteMany({ where: { accountId } })
}
