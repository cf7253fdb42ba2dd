import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { findAnnouncement, forgetRecipient } from './announcement.queries.ts'
import { composeAnnouncement } from './compose-announcement.ts'
import { MAX_ROLES } from './describe-announcement.ts'

/**
 * The mail of a queued announcement; null if it is no longer for its user, who is inactive, has another role or doesn't want it
 * any more.
 */
export async function composeQueuedAnnouncement(
  context: Context,
  { announcementId, realmId, userId, maxRole = MAX_ROLES.everyone }: Jobs['send_announcement'],
): Promise<Mail | null> {
  const announcement = await findAnnouncement(context.db, announcementId)
  if (announcement === null) return null
  const account = await findAccount(context.prisma, realmId, userId)
  const realm = await getRealm(context, realmId)
  if (!realm.is_active || !account || !isRecipient(account, maxRole)) {
    await forgetRecipient(context.db, announcementId, userId)
    return null
  }
  return composeAnnouncement(announcement, realm, {
    ...{ to: account.deliveryEmail, toName: account.fullName, locale: localeOf(account) },
    unsubscribeUrl: context.unsubscribeLinks.urlOf(realm.url, 'marketing', userId),
  })
}

const isRecipient = (account: Account, maxRole: number): boolean =>
  account.isActive && account.role <= maxRole && settingsOf(account)['enable_marketing_emails'] === true
