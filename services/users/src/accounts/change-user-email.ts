import { badRequest, type RealmProjection } from '@tms/contracts'
import { emailChangedMail } from '../email-changes/email-change-mails.ts'
import { isUsedByAnotherAccount } from '../email-changes/request-email-change.ts'
import { closeEmailChanges } from '../kernel/account-changes/ended-rights.queries.ts'
import { apiEmailOf } from '../kernel/addresses/api-email.rules.ts'
import { findPolicyFault } from '../kernel/addresses/new-address.rules.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { checkMayChangeEmail } from './administration.rules.ts'
import type { Administration } from './begin-administration.ts'
import { hasEmailChangeRight } from './email-change-right.queries.ts'

interface NewEmail {
  readonly deliveryEmail: string
  readonly email: string
}

/**
 * The target's new address and API e-mail; null if the address stays. The old address is informed by mail, and an
 * address that the user has yet to confirm is forgotten. Throws BAD_REQUEST without permission, and for an address that
 * the organization doesn't accept or another account has.
 */
export async function takeNewEmail(
  tx: PrismaTx,
  { actor, target }: Administration,
  requested: string,
  realm: RealmProjection,
): Promise<NewEmail | null> {
  const deliveryEmail = requested.trim()
  if (deliveryEmail === target.deliveryEmail) return null
  checkMayChangeEmail(actor, target, actor.id === null || (await hasEmailChangeRight(tx, actor.id)))
  const fault = findPolicyFault(deliveryEmail, realm)
  if (fault !== null) throw badRequest(fault)
  if (await isUsedByAnotherAccount(tx, target, deliveryEmail))
    throw badRequest('The e-mail address is already in use')
  await closeEmailChanges(tx, target.id)
  await queueMail(tx, emailChangedMail(target, deliveryEmail, realm))
  return { deliveryEmail, email: apiEmailOf({ ...target, deliveryEmail }, realm.url) }
}
