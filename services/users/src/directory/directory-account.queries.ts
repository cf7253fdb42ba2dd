import type { Queryable } from '@tms/service-kit'
import type { PrismaDb } from '../kernel/database/prisma-tx.ts'

/** The directory that knows the account's user; null if none is known to. */
export async function findDirectoryOf(db: PrismaDb, accountId: number): Promise<string | null> {
  const found = await db.directoryAccount.findUnique({ where: { accountId }, select: { directory: true } })
  return found?.directory ?? null
}

/** Whether an account is inactive because its directory said so. */
export async function wasDeactivatedByDirectory(db: PrismaDb, accountId: number): Promise<boolean> {
  const where = { accountId, isDeactivated: true }
  return (await db.directoryAccount.findFirst({ where, select: { accountId: true } })) !== null
}

/** Records that a directory knows the account's user. */
export async function saveDirectoryOf(
  tx: Queryable,
  { id, realmId }: { readonly id: number; readonly realmId: number },
  directory: string,
): Promise<void> {
  await tx.query(
    `insert into directory_accounts (account_id, realm_id, directory)
     values ($1, $2, $3)
     on conflict (account_id) do update set directory = excluded.directory`,
    [id, realmId, directory],
  )
}

/** An account as a sync compares it. */
export interface ComparedAccount {
  readonly id: number
  readonly foldedEmail: string
  readonly isActive: boolean
  /** Null if no directory is known to know its user. */
  readonly directory: string | null
  /** Whether a directory deactivated it. */
  readonly isDeactivated: boolean
}

/** All accounts of an organization but bots. */
export async function listComparedAccounts(db: Queryable, realmId: number): Promise<ComparedAccount[]> {
  const { rows } = await db.query<ComparedAccount>(
    `select account.id,
            account.delivery_email_lower as "foldedEmail",
            account.is_active as "isActive",
            known.directory,
            coalesce(known.is_deactivated, false) as "isDeactivated"
       from accounts account
       left join directory_accounts known on known.account_id = account.id
      where account.realm_id = $1
        and not account.is_bot
      order by account.id`,
    [realmId],
  )
  return rows
}

/** Records whether the directory deactivated the account of somebody that it knows. */
export async function setDeactivatedByDirectory(
  tx: Queryable,
  accountId: number,
  isDeactivated: boolean,
): Promise<void> {
  await tx.query('update directory_accounts set is_deactivated = $2 where account_id = $1', [
    accountId,
    isDeactivated,
  ])
}

/** What was taken last of the picture in somebody's directory entry. */
export interface TakenAvatar {
  /** The entry's version then. */
  readonly version: string | null
  /** Of the picture, null if there was none. */
  readonly hash: string | null
  /** The avatar that was made of it; null if it was no picture. */
  readonly file: string | null
}

export async function findTakenAvatar(db: Queryable, accountId: number): Promise<TakenAvatar> {
  const { rows } = await db.query<TakenAvatar>(
    `select entry_version as version, avatar_hash as hash, avatar_file as file
       from directory_accounts
      where account_id = $1`,
    [accountId],
  )
  return rows[0] ?? { version: null, hash: null, file: null }
}

export async function saveTakenAvatar(
  tx: Queryable,
  accountId: number,
  { version, hash, file }: TakenAvatar,
): Promise<void> {
  await tx.query(
    `update directory_accounts
        set entry_version = $2, avatar_hash = $3, avatar_file = $4
      where account_id = $1`,
    [accountId, version, hash, file],
  )
}
