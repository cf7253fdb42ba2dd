import type { Queryable } from '@tms/service-kit'
import type { PrismaDb } from '../kernel/database/prisma-tx.ts'

/** The directory that knows the account's user; null if none is known to. */
export async function findDirectoryOf(db: PrismaDb, accountId: number): Promise<string | null> {
  const found = await db.directoryAccount.findUnique({ where: { accountId }, select: { directory: true } })
  return found?.directory ?? null
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
