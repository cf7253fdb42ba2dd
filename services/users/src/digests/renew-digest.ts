import { type Digest, internal, type RealmProjection } from '@tms/contracts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail, SaidOfDigest } from '../kernel/mails/mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import type { Addressee } from '../missed-messages/compose-missed-mail.ts'
import { findHider } from '../missed-messages/hidden-content.rules.ts'
import { composeDigestOf, composeHiddenDigest } from './compose-digest.ts'

/** Why an account gets no digests; null if it gets them. */
export function findDigestObstacle(
  account: Account,
  realm: Pick<RealmProjection, 'is_active' | 'digest_emails_enabled'>,
): string | null {
  if (!realm.is_active) return 'The organization is deactivated.'
  if (realm.digest_emails_enabled !== true)
    return 'The organization has turned digests off (digest_emails_enabled).'
  if (!account.isActive) return 'The account is deactivated.'
  if (account.isBot) return 'The account is a bot.'
  return settingsOf(account)['enable_digest_emails'] === true
    ? null
    : 'The user has turned digests off (enable_digest_emails).'
}

/** Address of digests to an account. Their subjects name the organization. */
export function digestAddresseeOf(
  { unsubscribeLinks }: Pick<Context, 'unsubscribeLinks'>,
  account: Account,
  realm: RealmProjection,
): Addressee {
  return {
    to: account.deliveryEmail,
    toName: account.fullName,
    locale: localeOf(account),
    realm,
    namesRealm: false,
    unsubscribeUrl: unsubscribeLinks.urlOf(realm.url, 'digest', account.id),
  }
}

/** A digest that has waited for longer is described again: less is what sending takes. */
const FRESH_MS = 600_000
const CALL_TIMEOUT_MS = 10_000

/** A queued digest as it is to be sent now; null if it isn't wanted any more, or there is no news any more. */
export async function renewDigest(
  context: Context,
  mail: Mail,
  { realmId, userId, digest: said }: NonNullable<Mail['missedBy']>,
): Promise<Mail | null> {
  const realm = await getRealm(context, realmId)
  const account = await findAccount(context.prisma, realmId, userId)
  if (account === null || findDigestObstacle(account, realm) !== null) return null
  const addressee = digestAddresseeOf(context, account, realm)
  if (said && said.at < context.now().getTime() - FRESH_MS) {
    const digest = await describeAgain(context, realmId, userId, said)
    return digest && composeDigestOf(account, realm, addressee, digest)
  }
  const hiddenBy = mail.sections ? findHider(settingsOf(account), realm) : null
  if (hiddenBy !== null) return composeHiddenDigest(addressee, hiddenBy)
  return { ...mail, to: addressee.to, toName: addressee.toName }
}

/** The digest as it is now; null if there is no news any more, or the user has written something. */
async function describeAgain(
  { call }: Pick<Context, 'call'>,
  realmId: number,
  userId: number,
  { since, awaySince }: SaidOfDigest,
): Promise<Digest | null> {
  const users = [{ user_id: userId, since, away_since: awaySince }]
  const { digests, failures } = await call(
    internal.messaging.describeDigests,
    { realm_id: realmId, users },
    { timeoutMs: CALL_TIMEOUT_MS },
  )
  if (failures[0]) throw new Error(failures[0].reason)
  return digests[0] ?? null
}
