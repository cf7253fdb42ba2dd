import type { RealmProjection } from '@tms/contracts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { deletePasswordResets } from '../kernel/account-changes/ended-rights.queries.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { deletePasswordAttempts } from '../kernel/credentials/password-attempts.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { passwordChangedMail } from './password-reset-mail.ts'

/**
 * Replaces the password of a locked account by another, already hashed. Deletes mailed reset links and failed attempts,
 * and mails the user. The API key stays.
 */
export async function replacePassword(
  tx: PrismaTx,
  account: Account,
  realm: RealmProjection,
  passwordHash: string,
  requestId: string,
): Promise<void> {
  await changeAccount(tx, account, { passwordHash }, requestId)
  await deletePasswordResets(tx, account.id)
  await deletePasswordAttempts(tx, realm.realm_id, foldEmail(account.deliveryEmail))
  await queueMail(tx, passwordChangedMail(realm, account))
}
