import { AppError, type RealmProjection } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import { lockPerson, type Person } from '../accounts/account.queries.ts'
import { isAddressTaken } from '../accounts/address-is-taken.ts'
import { apiEmailOf } from '../accounts/api-email.rules.ts'
import { changePerson } from '../accounts/change-person.ts'
import type { Context, PrismaTx } from '../context.ts'
import { hashLinkKey, isLinkKey } from '../credentials/link-key.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { claimEmailChange, type EmailChange, findOpenEmailChange } from './email-change.queries.ts'
import { decideNewEmail } from './email-change.rules.ts'
import { emailChangedMail } from './email-change-mails.ts'
import { isSomeoneElses } from './request-email-change.ts'

/** What became of opening a link. `refused` says why in a sentence for people; its link may be opened again later. */
export type EmailChangeOutcome =
  | { readonly kind: 'changed'; readonly newEmail: string }
  /** Unknown, used, replaced by a later one, or older than a day. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'taken'; readonly newEmail: string }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Makes the change of address that a mailed key stands for, once, as far as it is allowed by now, and tells the old address. Of two
 * who open links to one address at once, one gets it.
 */
export async function completeEmailChange({
  key,
  realm,
  context,
  requestId,
}: {
  key: string
  /** Whose page the link leads to. */
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
    if (isAddressTaken(err)) return { kind: 'taken', newEmail }
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
  const before = await lockPerson(tx, change.realmId, change.accountId)
  if (!before) return { kind: 'invalid' }
  if (!before.isActive || !realm.is_active) return { kind: 'refused', reason: 'The account is deactivated' }
  // Throws unless the organization still allows it.
  const newEmail = decideNewEmail(before, change.newEmail, realm) ?? change.newEmail
  if (await isSomeoneElses(tx, before, newEmail)) return { kind: 'taken', newEmail }
  if (!(await claimEmailChange(asTx(tx), change.id))) return { kind: 'invalid' }

  const after: Pick<Person, 'id' | 'deliveryEmail' | 'emailAddressVisibility'> = {
    ...before,
    deliveryEmail: newEmail,
  }
  await changePerson(tx, before, { deliveryEmail: newEmail, email: apiEmailOf(after, realm.url) }, requestId)
  await queueMail(asTx(tx), emailChangedMail(before, newEmail, realm))
  return { kind: 'changed', newEmail }
}
