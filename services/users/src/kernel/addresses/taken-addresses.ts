import type { RealmProjection } from '@tms/contracts'
import type { PrismaDb } from '../database/prisma-tx.ts'
import { systemBotAddressOf } from './api-email.rules.ts'
import { foldEmail } from './email-address.rules.ts'

/**
 * Which of these valid addresses belong to an account, active or not. The system bot's address counts as taken even
 * before that bot exists.
 */
export async function findTakenAddresses(
  db: PrismaDb,
  realm: Pick<RealmProjection, 'realm_id' | 'url'>,
  addresses: readonly string[],
): Promise<Map<string, { isDeactivated: boolean }>> {
  const accounts = await db.account.findMany({
    where: { realmId: realm.realm_id, deliveryEmailLower: { in: addresses.map(foldEmail) } },
    select: { deliveryEmailLower: true, isActive: true },
  })
  const known = new Map([
    [systemBotAddressOf(realm), true],
    ...accounts.map((account): [string, boolean] => [account.deliveryEmailLower, account.isActive]),
  ])
  const taken = new Map<string, { isDeactivated: boolean }>()
  for (const address of addresses) {
    const isActive = known.get(foldEmail(address))
    if (isActive !== undefined) taken.set(address, { isDeactivated: !isActive })
  }
  return taken
}
