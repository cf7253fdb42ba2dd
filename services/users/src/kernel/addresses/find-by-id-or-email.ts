import { type Account, findAccount, findAccountByEmail } from '../accounts/account.queries.ts'
import type { PrismaDb } from '../database/prisma-tx.ts'
import { foldEmail } from './email-address.rules.ts'

/** The account that a path parameter names, by its ID or API e-mail. */
export function findByIdOrEmail(db: PrismaDb, realmId: number, idOrEmail: string): Promise<Account | null> {
  return /^\d+$/.test(idOrEmail)
    ? findAccount(db, realmId, Number(idOrEmail))
    : findAccountByEmail(db, realmId, foldEmail(idOrEmail))
}
