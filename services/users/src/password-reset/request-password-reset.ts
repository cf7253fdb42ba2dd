import type { RealmProjection } from '@tms/contracts'
import { findStoredPasswordFault } from '../directory/stored-password.ts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail, isEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { createLinkKey, hashLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { claimMail } from '../kernel/mails/claim-mail.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { storesPasswords } from '../kernel/sign-on/methods-of.ts'
import { accountStateOf } from './account-state.ts'
import { insertPasswordReset } from './password-reset.queries.ts'
import {
  deactivatedAccountMail,
  directoryPasswordMail,
  passwordResetMail,
  unknownAccountMail,
} from './password-reset-mail.ts'
import type { PasswordResetRequest } from './password-reset-outcome.ts'

const DAY_MS = 86_400_000

/**
 * Mails a key for setting a new password, valid for a day. Every address gets a mail, also without an active account,
 * so neither answer nor response time reveal whether one exists.
 */
export async function requestPasswordReset(
  context: Pick<Context, 'transact' | 'mailLimits' | 'now' | 'signOn'>,
  realm: RealmProjection,
  address: string,
  ip: string,
): Promise<PasswordResetRequest> {
  if (!storesPasswords(context, realm)) return { kind: 'off' }
  const email = address.trim()
  if (!isEmail(email)) return { kind: 'refused', field: 'email', message: 'The e-mail address is not valid' }
  const foldedEmail = foldEmail(email)
  const wanted = { purpose: 'password reset', realmId: realm.realm_id, foldedEmail, ip }
  const waitSeconds = await context.transact(async (tx) => {
    const seconds = await claimMail(tx, wanted, context)
    if (seconds === 0) await queueMail(tx, await composeMail(context, tx, realm, email))
    return seconds
  })
  return waitSeconds > 0 ? { kind: 'too-many', retryAfterSeconds: waitSeconds } : { kind: 'mailed' }
}

async function composeMail(
  context: Pick<Context, 'signOn' | 'now'>,
  tx: PrismaTx,
  realm: RealmProjection,
  email: string,
): Promise<Mail> {
  const credentials = await findAccountByDeliveryEmail(tx, realm.realm_id, foldEmail(email))
  const account = credentials && (await findAccount(tx, realm.realm_id, credentials.id))
  if (!credentials || !account || account.isBot) return unknownAccountMail(realm, email)
  if (!account.isActive) return deactivatedAccountMail(realm, account)
  if ((await findStoredPasswordFault(context, tx, realm, account.id)) !== null)
    return directoryPasswordMail(realm, account)
  const key = createLinkKey()
  const expiresAt = new Date(context.now().getTime() + DAY_MS)
  await insertPasswordReset(tx, {
    keyHash: hashLinkKey(key),
    accountId: account.id,
    accountState: accountStateOf(credentials),
    expiresAt,
  })
  return passwordResetMail(realm, { account, key, expiresAt })
}
