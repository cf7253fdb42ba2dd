import { AppError, type RealmProjection } from '@tms/contracts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, lockAccount } from '../kernel/accounts/account.queries.ts'
import { isAddressTakenError } from '../kernel/addresses/address-taken-error.ts'
import { apiEmailOf } from '../kernel/addresses/api-email.rules.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import { hashLinkKey, isLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { claimEmailChange, type EmailChange, findOpenEmailChange } from './email-change.queries.ts'
import { decideNewEmail } from './email-change.rules.ts'
import { emailChangedMail } from './email-change-mails.ts'
import { isUsedByAnotherAccount } from './request-email-change.ts'

/** Outcome of opening a link. After `refused`, with a reason for the user, the link can be opened again. */
export type EmailChangeOutcome =
  | { readonly kind: 'changed'; readonly newEmail: string }
  /** Unknown, used, superseded, or older than a day. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'taken'; readonly newEmail: string }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Applies the change of address for a mailed key, once, if the organization still allows it, and informs the old
 * address. If two links claim one address, one succeeds.
 */
export async function completeEmailChange({
  key,
  realm,
  context,
  requestId,
}: {
  key: string
  /** The organization at whose host the link was opened. */
  realm: RealmProjection
  context: Pick<Context, 'db' | 'transact'>
  requestId: string
}): Promise<EmailChangeOutcome> {
  const change = isLinkKey(key) ? await findOpenEmailChange(context.db, hashLinkKey(key)) : null
  if (!change || change.realmId !== realm.realm_id) return { kind: 'invalid' }
  const { newEmail } = change
  try {
    return await context.transact((tx) => applyEmailChange(tx, change, realm, requestId))
  } catch (err) {
    if (isAddressTakenError(err)) return { kind: 'taken', newEmail }
    if (err instanceof AppError && err.code === 'BAD_REQUEST') return { kind: 'refused', reason: err.message }
    throw err
  }
}

async function applyEmailChange(
  tx: PrismaTx,
  change: EmailChange,
  realm: RealmProjection,
  requestId: string,
): Promise<EmailChangeOutcome> {
  await shareAdministration(tx, change.realmId)
  const before = await lockAccount(tx, change.realmId, change.accountId)
  if (!before) return { kind: 'invalid' }
  if (!before.isActive || !realm.is_active) return { kind: 'refused', reason: 'The account is deactivated' }
  // Throws if the organization no longer allows it.
  const newEmail = decideNewEmail(before, change.newEmail, realm) ?? change.newEmail
  if (await isUsedByAnotherAccount(tx, before, newEmail)) return { kind: 'taken', newEmail }
  if (!(await claimEmailChange(tx, change.id))) return { kind: 'invalid' }

  const after: Pick<Account, 'id' | 'deliveryEmail' | 'emailAddressVisibility'> = {
    ...before,
    deliveryEmail: newEmail,
  }
  await changeAccount(tx, before, { deliveryEmail: newEmail, email: apiEmailOf(after, realm.url) }, requestId)
  await queueMail(tx, emailChangedMail(before, newEmail, realm))
  return { kind: 'changed', newEmail }
}
