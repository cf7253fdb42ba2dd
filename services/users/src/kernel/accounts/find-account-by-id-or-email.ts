import { foldEmail } from '../addresses/email-address.rules.ts'
import type { PrismaDb } from '../database/prisma-tx.ts'
import { type Account, findAccount, findAccountByAddress } from './account.queries.ts'

/** The account that a path parameter names, by its ID or API e-mail. */
export function findAccountByIdOrEmail(
  db: PrismaDb,
  realmId: number,
  idOrEmail: string,
): Promise<Account | null> {
  return /^\d+$/.test(idOrEmail)
    ? findAccount(db, realmId, Number(idOrEmail))
    : findAccountByAddress(db, realmId, 'API e-mail', foldEmail(idOrEmail))
}
