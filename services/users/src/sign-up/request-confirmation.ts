import type { RealmProjection } from '@tms/contracts'
import { findLinkByKey } from '../invitations/invitation-link.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAddressFault } from '../kernel/addresses/find-address-fault.ts'
import type { Context } from '../kernel/context.ts'
import { createLinkKey, hashLinkKey, isLinkKey } from '../kernel/credentials/link-key.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { claimMail } from '../kernel/mails/claim-mail.ts'
import { insertConfirmation } from './address-confirmation.queries.ts'
import { confirmationMail } from './confirmation-mail.ts'
import type { ConfirmationRequest } from './sign-up-outcome.ts'

const DAY_MS = 86_400_000

/**
 * Mails a confirmation key, valid for a day, to an address that wants to join by a reusable link; with a `linkKey` of
 * null, to an open organization.
 */
export async function requestConfirmation(
  context: Pick<Context, 'prisma' | 'transact' | 'mailLimits' | 'now'>,
  realm: RealmProjection,
  linkKey: string | null,
  address: string,
  ip: string,
): Promise<ConfirmationRequest> {
  const now = context.now()
  const linkId = await findLinkId(context, realm, linkKey, now)
  if (linkId === undefined) return { kind: 'invalid' }
  const email = address.trim()
  const fault = await findAddressFault(context.prisma, realm, email)
  if (fault !== null) return { kind: 'refused', field: 'email', message: fault }

  const key = createLinkKey()
  const expiresAt = new Date(now.getTime() + DAY_MS)
  const foldedEmail = foldEmail(email)
  const wanted = { purpose: 'confirmation', realmId: realm.realm_id, foldedEmail, ip }
  const waitSeconds = await context.transact(async (tx) => {
    const seconds = await claimMail(tx, wanted, context)
    if (seconds > 0) return seconds
    await insertConfirmation(tx, {
      keyHash: hashLinkKey(key),
      realmId: realm.realm_id,
      email,
      linkId,
      expiresAt,
    })
    await queueMail(tx, confirmationMail(realm, { email, key, expiresAt }))
    return 0
  })
  return waitSeconds > 0 ? { kind: 'too-many', retryAfterSeconds: waitSeconds } : { kind: 'mailed', email }
}

/** The open link's ID; null if none is needed, undefined if it is missing. */
async function findLinkId(
  { prisma }: Pick<Context, 'prisma'>,
  realm: RealmProjection,
  linkKey: string | null,
  now: Date,
): Promise<number | null | undefined> {
  if (!realm.is_active) return undefined
  if (linkKey === null) return realm.invite_required ? undefined : null
  if (!isLinkKey(linkKey)) return undefined
  return (await findLinkByKey(prisma, realm.realm_id, linkKey, now))?.id
}
