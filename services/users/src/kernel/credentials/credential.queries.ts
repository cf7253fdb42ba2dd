import type { Account as StoredAccount } from '../../generated/prisma/client.ts'
import { canBeEmail } from '../database/column-limits.ts'
import type { PrismaDb, PrismaTx } from '../database/prisma-tx.ts'

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
  sessionGeneration: true,
} as const
type Credentials = Pick<StoredAccount, keyof typeof credentialColumns>

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

/** Credentials of the account with this key, if it is one of the organization. */
export async function listAccountsByApiKey(
  db: PrismaDb,
  realmId: number,
  apiKey: string,
): Promise<Credentials[]> {
  return db.account.findMany({ where: { apiKey, realmId }, select: credentialColumns })
}

export function findAccountByApiKey(
  db: PrismaDb,
  apiKey: string,
): Promise<Pick<StoredAccount, 'realmId'> | null> {
  return db.account.findUnique({ where: { apiKey }, select: { realmId: true } })
}

/** Replaces an account's key. Lock the account first. */
export async function saveApiKey(tx: PrismaTx, id: number, apiKey: string): Promise<void> {
  await tx.query('update accounts set api_key = $2 where id = $1', [id, apiKey])
}
