import type { Prisma, Account as StoredAccount } from '../../generated/prisma/client.ts'
import type { PrismaDb, PrismaTx } from '../database/prisma-tx.ts'

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
  version: true,
} as const
export type Account = Pick<StoredAccount, keyof typeof accountColumns>

/** Columns that decisions about credentials need. */
const credentialColumns = {
  id: true,
  realmId: true,
  deliveryEmail: true,
  fullName: true,
  passwordHash: true,
  apiKey: true,
  role: true,
  isActive: true,
  isBot: true,
  botType: true,
} as const
type Credentials = Pick<StoredAccount, keyof typeof credentialColumns>

/** No address is longer, and ID columns have 32 bits, so a lookup beyond these limits can find nothing. */
const MAX_EMAIL_LENGTH = 320
const MAX_ID = 2 ** 31 - 1
const canBeEmail = (folded: string): boolean => folded.length <= MAX_EMAIL_LENGTH && !folded.includes('\0')
export const canBeId = (id: number): boolean => id > 0 && id <= MAX_ID

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

/** Locks the account until the transaction ends. */
export async function lockAccount(tx: PrismaTx, realmId: number, id: number): Promise<Account | null> {
  if (!canBeId(id)) return null
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

/** Replaces an account's key. Lock the account first. */
export async function saveApiKey(tx: PrismaTx, id: number, apiKey: string): Promise<void> {
  await tx.query('update accounts set api_key = $2 where id = $1', [id, apiKey])
}

/** The organization's system bot; null until it is created. */
export function findSystemBot(db: PrismaDb, realmId: number): Promise<Account | null> {
  return db.account.findFirst({ where: { realmId, isSystemBot: true }, select: accountColumns })
}

/** Expects the folded API e-mail. */
export async function findAccountByEmail(
  db: PrismaDb,
  realmId: number,
  foldedEmail: string,
): Promise<Account | null> {
  if (!canBeEmail(foldedEmail)) return null
  return db.account.findUnique({
    where: { emailLower_realmId: { emailLower: foldedEmail, realmId } },
    select: accountColumns,
  })
}

/** Expects the folded delivery e-mail. */
export async function findAccountByDeliveryEmail(
  db: PrismaDb,
  realmId: number,
  foldedEmail: string,
): Promise<Credentials | null> {
  if (!canBeEmail(foldedEmail)) return null
  return db.account.findUnique({
    where: { deliveryEmailLower_realmId: { deliveryEmailLower: foldedEmail, realmId } },
    select: credentialColumns,
  })
}

/** Whether the organization has an account that isn't a bot. */
export async function hasUsers(db: PrismaDb, realmId: number): Promise<boolean> {
  return (await db.account.findFirst({ where: { realmId, isBot: false }, select: { id: true } })) !== null
}

export async function findCredentials(
  db: PrismaDb,
  realmId: number,
  id: number,
): Promise<Credentials | null> {
  return db.account.findUnique({ where: { id, realmId }, select: credentialColumns })
}

/** Like `findCredentials`, but throws if there is no such account. */
export async function getCredentials(db: PrismaDb, realmId: number, id: number): Promise<Credentials> {
  const found = await findCredentials(db, realmId, id)
  if (!found) throw new Error(`account ${id} not found`)
  return found
}

/** Null if there is no account, or it has no password. */
export async function findPasswordHash(db: PrismaDb, realmId: number, id: number): Promise<string | null> {
  const found = await db.account.findUnique({ where: { id, realmId }, select: { passwordHash: true } })
  return found?.passwordHash ?? null
}

/** Whether an account in any organization has this folded delivery e-mail. */
export async function isDeliveryEmailKnown(db: PrismaDb, foldedEmail: string): Promise<boolean> {
  const found = await db.account.findFirst({
    where: { deliveryEmailLower: foldedEmail },
    select: { id: true },
  })
  return found !== null
}

/**
 * At most two accounts: one by its API e-mail, one by its delivery e-mail, both folded. One query uses both unique
 * indexes.
 */
export async function listAccountsByAnyEmail(
  db: PrismaDb,
  realmId: number,
  foldedEmail: string,
): Promise<Credentials[]> {
  if (!canBeEmail(foldedEmail)) return []
  return db.account.findMany({
    where: { realmId, OR: [{ emailLower: foldedEmail }, { deliveryEmailLower: foldedEmail }] },
    select: credentialColumns,
  })
}

export function findAccountByApiKey(
  db: PrismaDb,
  apiKey: string,
): Promise<Pick<StoredAccount, 'realmId'> | null> {
  return db.account.findUnique({ where: { apiKey }, select: { realmId: true } })
}
