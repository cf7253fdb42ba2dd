import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import type { Account, Prisma, PrismaClient } from '../generated/prisma/client.ts'

type Database = PrismaClient | PrismaTx

/** What a user record is made of. */
const personColumns = {
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
export type Person = Pick<Account, keyof typeof personColumns>

/** What deciding about credentials takes. */
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
type Credentials = Pick<Account, keyof typeof credentialColumns>

/** Wider than any address, and the columns are 32 bits wide: nothing beyond can be anyone's. */
const MAX_EMAIL_LENGTH = 320
const MAX_ID = 2 ** 31 - 1
const canBeEmail = (folded: string): boolean => folded.length <= MAX_EMAIL_LENGTH && !folded.includes('\0')
export const canBeId = (id: number): boolean => id > 0 && id <= MAX_ID

/**
 * Creates an account. Null when its address is taken, also by a transaction that runs at the same time: the
 * insert waits for its end.
 */
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
): Promise<Person | null> {
  const [created] = await tx.account.createManyAndReturn({
    data: [account],
    skipDuplicates: true,
    select: personColumns,
  })
  return created ?? null
}

export async function findPerson(db: Database, realmId: number, id: number): Promise<Person | null> {
  if (!canBeId(id)) return null
  return db.account.findUnique({ where: { id, realmId }, select: personColumns })
}

/** The account, which no one else changes until the transaction ends. */
export async function lockPerson(tx: PrismaTx, realmId: number, id: number): Promise<Person | null> {
  if (!canBeId(id)) return null
  const sql = 'select id from accounts where id = $1 and realm_id = $2 for no key update'
  await asTx(tx).query(sql, [id, realmId])
  return findPerson(tx, realmId, id)
}

/** Writes what a person has changed, as the next version of the account. Lock it first. */
export function updatePerson(
  tx: PrismaTx,
  id: number,
  change: Prisma.AccountUncheckedUpdateInput,
): Promise<Person> {
  return tx.account.update({
    where: { id },
    data: { ...change, version: { increment: 1 } },
    select: personColumns,
  })
}

/** The organization's own actor; null until it is created. */
export function findSystemBot(db: Database, realmId: number): Promise<Person | null> {
  return db.account.findFirst({ where: { realmId, isSystemBot: true }, select: personColumns })
}

/** By API e-mail, folded. */
export async function findPersonByEmail(
  db: Database,
  realmId: number,
  foldedEmail: string,
): Promise<Person | null> {
  if (!canBeEmail(foldedEmail)) return null
  return db.account.findUnique({
    where: { emailLower_realmId: { emailLower: foldedEmail, realmId } },
    select: personColumns,
  })
}

/** By delivery e-mail, folded. */
export async function findAccountByDeliveryEmail(
  db: Database,
  realmId: number,
  foldedEmail: string,
): Promise<Credentials | null> {
  if (!canBeEmail(foldedEmail)) return null
  return db.account.findUnique({
    where: { deliveryEmailLower_realmId: { deliveryEmailLower: foldedEmail, realmId } },
    select: credentialColumns,
  })
}

/** Whether anybody has an account in an organization, bots aside. */
export async function hasPeople(db: Database, realmId: number): Promise<boolean> {
  return (await db.account.findFirst({ where: { realmId, isBot: false }, select: { id: true } })) !== null
}

export async function findCredentials(
  db: Database,
  realmId: number,
  id: number,
): Promise<Credentials | null> {
  return db.account.findUnique({ where: { id, realmId }, select: credentialColumns })
}

/** The same of an account that is there. */
export async function getCredentials(db: Database, realmId: number, id: number): Promise<Credentials> {
  const found = await findCredentials(db, realmId, id)
  if (!found) throw new Error(`there is no account ${id}`)
  return found
}

/** The hash of an account's password; null for one that has none. */
export async function findPasswordHash(db: Database, realmId: number, id: number): Promise<string | null> {
  const found = await db.account.findUnique({ where: { id, realmId }, select: { passwordHash: true } })
  return found?.passwordHash ?? null
}

/** Whether an account of any organization has this delivery e-mail, folded. */
export async function isDeliveryEmailKnown(db: Database, foldedEmail: string): Promise<boolean> {
  const found = await db.account.findFirst({
    where: { deliveryEmailLower: foldedEmail },
    select: { id: true },
  })
  return found !== null
}

/** Accounts with this API or delivery e-mail, folded: two at most. One query over both unique indexes. */
export async function listAccountsByAnyEmail(
  db: Database,
  realmId: number,
  foldedEmail: string,
): Promise<Credentials[]> {
  if (!canBeEmail(foldedEmail)) return []
  return db.account.findMany({
    where: { realmId, OR: [{ emailLower: foldedEmail }, { deliveryEmailLower: foldedEmail }] },
    select: credentialColumns,
  })
}

export function findAccountByApiKey(db: Database, apiKey: string): Promise<Pick<Account, 'realmId'> | null> {
  return db.account.findUnique({ where: { apiKey }, select: { realmId: true } })
}
