import { AppError, badRequest, type RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { listAccountsByAnyEmail } from '../kernel/credentials/credential.queries.ts'
import { createLinkKey, hashLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { listAgesOfRequests, saveEmailChange } from './email-change.queries.ts'
import { secondsToNextRequest } from './email-change-limits.rules.ts'
import { emailChangeMail } from './email-change-mails.ts'

/**
 * Mails a confirmation link to the new address of a locked account, and voids earlier ones. Throws BAD_REQUEST if any
 * account has the address, and RATE_LIMIT_HIT.
 */
export async function requestEmailChange(
  tx: PrismaTx,
  own: Account,
  newEmail: string,
  realm: RealmProjection,
): Promise<void> {
  if (await isUsedByAnotherAccount(tx, own, newEmail))
    throw badRequest('The e-mail address is already in use')
  const seconds = secondsToNextRequest(await listAgesOfRequests(tx, own.id))
  if (seconds > 0)
    throw new AppError('RATE_LIMIT_HIT', {
      message: 'You have asked for other addresses too often; please wait',
      details: { 'retry-after': seconds },
    })
  const key = createLinkKey()
  await saveEmailChange(tx, { accountId: own.id, newEmail, keyHash: hashLinkKey(key) })
  await queueMail(tx, emailChangeMail(own, newEmail, key, realm))
}

/** Also compares API e-mails: users can sign in with either. */
export async function isUsedByAnotherAccount(tx: PrismaTx, own: Account, address: string): Promise<boolean> {
  const owners = await listAccountsByAnyEmail(tx, own.realmId, foldEmail(address))
  return owners.some(({ id }) => id !== own.id)
}
