import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'

/** Whether an operator let this account change the e-mail addresses of others. */
export async function hasEmailChangeRight(db: PrismaDb, id: number): Promise<boolean> {
  return (
    (await db.account.findFirst({ where: { id, canChangeUserEmails: true }, select: { id: true } })) !== null
  )
}

/** Lock the account first. */
export async function saveEmailChangeRight(
  tx: PrismaTx,
  { id, isGranted }: { readonly id: number; readonly isGranted: boolean },
): Promise<void> {
  await tx.account.update({ where: { id }, data: { canChangeUserEmails: isGranted }, select: { id: true } })
}
