import type { Prisma, Account as StoredAccount } from '../../generated/prisma/client.ts'
import { canBeEmail, canBeId } from '../database/column-limits.ts'
import type { PrismaDb, PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'

/** Columns from which user records are built. */
const accountColumns = {
  id: true,
  realmId: true,
  email: true,
  deliveryEmail: true,
  fullName: true,
  role: true,
  isActive: true,
  isBot: true,
  botType: true,
  botOwnerId: true,
  isSystemBot: true,
  timezone: true,
  dateJoined: true,
  avatarSource: true,
  avatarVersion: true,
  avatarFile: true,
  emailAddressVisibility: true,
  settings: true,
  alertWords: true,
  mutedUsers: true,
  profileData: true,
  hasPushDevices: true,
  version: true,
} as const
export type Account = Pick<StoredAccount, keyof typeof accountColumns>

/** Null if the address is taken. If a concurrent transaction takes it, the insert waits for that transaction to end. */
export async function createAccountRow(
  tx: PrismaTx,
  account: {
    realmId: number
    email: string
    deliveryEmail: string
    fullName: string
    passwordHash: string | null
    apiKey: string
    role: number
    dateJoined: Date
    timezone?: string
    emailAddressVisibility?: number
    isBot?: boolean
    botType?: number
    botOwnerId?: number
    isSystemBot?: boolean
    settings?: Prisma.InputJsonObject
    avatarSource?: string
    avatarFile?: string
  },
): Promise<Account | null> {
  const [created] = await tx.account.createManyAndReturn({
    data: [account],
    skipDuplicates: true,
    select: accountColumns,
  })
  return created ?? null
}

export async function findAccount(db: PrismaDb, realmId: number, id: number): Promise<Account | null> {
  if (!canBeId(id)) return null
  return db.account.findUnique({ where: { id, realmId }, select: accountColumns })
}

/** Those of these accounts that exist in the organization. */
export function findAccounts(db: PrismaDb, realmId: number, ids: readonly number[]): Promise<Account[]> {
  return db.account.findMany({ where: { id: { in: ids.filter(canBeId) }, realmId }, select: accountColumns })
}

/** Locks the account until the transaction ends. */
export async function lockAccount(tx: PrismaTx, realmId: number, id: number): Promise<Account | null> {
  if (!canBeId(id)) return null
  tx.lockRecord.add(locks.accounts, [id])
  const sql = 'select id from accounts where id = $1 and realm_id = $2 for no key update'
  await tx.query(sql, [id, realmId])
  return findAccount(tx, realmId, id)
}

/** Writes the change as the next version of the account, which must be locked. */
export function updateAccount(
  tx: PrismaTx,
  id: number,
  change: Prisma.AccountUncheckedUpdateInput,
): Promise<Account> {
  return tx.account.update({
    where: { id },
    data: { ...change, version: { increment: 1 } },
    select: accountColumns,
  })
}

/** The organization's system bot; null until it is created. */
export function findSystemBot(db: PrismaDb, realmId: number): Promise<Account | null> {
  return db.account.findFirst({ where: { realmId, isSystemBot: true }, select: accountColumns })
}

/** Expects a folded address: the API e-mail, or the delivery e-mail, which not everyone may see. */
export async function findAccountByAddress(
  db: PrismaDb,
  realmId: number,
  kind: 'API e-mail' | 'delivery e-mail',
  address: string,
): Promise<Account | null> {
  if (!canBeEmail(address)) return null
  const where =
    kind === 'API e-mail'
      ? { emailLower_realmId: { emailLower: address, realmId } }
      : { deliveryEmailLower_realmId: { deliveryEmailLower: address, realmId } }
  return db.account.findUnique({ where, select: accountColumns })
}
