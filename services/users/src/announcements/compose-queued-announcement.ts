import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { findAnnouncement } from './announcement.queries.ts'
import { composeAnnouncement } from './compose-announcement.ts'

/** The mail of a queued announcement; null if its user doesn't want it any more, or is inactive. */
export async function composeQueuedAnnouncement(
  context: Context,
  { announcementId, realmId, userId }: Jobs['send_announcement'],
): Promise<Mail | null> {
  const announcement = await findAnnouncement(context.db, announcementId)
  const account = await findAccount(context.prisma, realmId, userId)
  if (announcement === null || !account?.isActive) return null
  if (settingsOf(account)['enable_marketing_emails'] !== true) return null
  const realm = await getRealm(context, realmId)
  if (!realm.is_active) return null
  return composeAnnouncement(announcement, realm, {
    ...{ to: account.deliveryEmail, toName: account.fullName, locale: localeOf(account) },
    unsubscribeUrl: context.unsubscribeLinks.urlOf(realm.url, 'marketing', userId),
  })
}
