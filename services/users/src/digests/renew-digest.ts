import type { RealmProjection } from '@tms/contracts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import type { Addressee } from '../missed-messages/compose-missed-mail.ts'
import { findHider } from '../missed-messages/hidden-content.rules.ts'
import { composeHiddenDigest } from './compose-digest.ts'

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

/** A queued digest as it is to be sent now; null if it isn't wanted any more. */
export async function renewDigest(
  context: Context,
  mail: Mail,
  { realmId, userId }: { readonly realmId: number; readonly userId: number },
): Promise<Mail | null> {
  const realm = await getRealm(context, realmId)
  const account = await findAccount(context.prisma, realmId, userId)
  if (account === null || findDigestObstacle(account, realm) !== null) return null
  const hiddenBy = mail.sections ? findHider(settingsOf(account), realm) : null
  return hiddenBy === null ? mail : composeHiddenDigest(digestAddresseeOf(context, account, realm), hiddenBy)
}
