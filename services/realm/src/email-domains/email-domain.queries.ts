import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/** Adds a domain and returns its ID. */
export async function insertEmailDomain(
  tx: PrismaTx,
  domain: { realmId: number; domain: string; allowsSubdomains: boolean },
): Promise<number> {
  const { id } = await tx.emailDomain.create({ data: domain })
  return id
}

export async function saveEmailDomain(tx: PrismaTx, id: number, allowsSubdomains: boolean): Promise<void> {
  await tx.emailDomain.update({ where: { id }, data: { allowsSubdomains } })
}

export async function deleteEmailDomain(tx: PrismaTx, id: number): Promise<void> {
  await tx.emailDomain.delete({ where: { id } })
}
