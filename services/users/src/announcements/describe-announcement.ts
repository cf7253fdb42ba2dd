import { type Announcement, AppError, type internal, type RealmProjection, Role } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { localeOfRealm } from '../kernel/languages/locale.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { layOutMail } from '../mails/layout.ts'
import { countRecipients, findAnnouncementId } from './announcement.queries.ts'
import { composeAnnouncement } from './compose-announcement.ts'

/** The greatest role of the users who get it: smaller numbers may do more. */
export const MAX_ROLES = {
  administrators: Role.administrator,
  everyone: Role.guest,
} as const satisfies Record<Announcement['audience'], number>

/** The active organization of an announcement. Throws BAD_REQUEST, REALM_DEACTIVATED. */
export async function getAnnouncementRealm(context: Context, realmId: number): Promise<RealmProjection> {
  const realm = await getRealm(context, realmId)
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  return realm
}

/** Says how many people an announcement would go to, and what it looks like; changes nothing. */
export const handleDescribeAnnouncement: InternalHandler<
  typeof internal.users.describeAnnouncement,
  Context
> = async (announcement, context) => {
  const { realm_id: realmId, subject, text: content, is_markdown: isMarkdown, audience } = announcement
  const realm = await getAnnouncementRealm(context, realmId)
  const announcementId = await findAnnouncementId(context.db, announcement)
  const counts = await countRecipients(context.db, { realmId, maxRole: MAX_ROLES[audience], announcementId })
  const mail = composeAnnouncement({ subject, content, isMarkdown }, realm, {
    ...{ to: '', toName: '', locale: localeOfRealm(realm) },
    unsubscribeUrl: `${realm.url}/accounts/unsubscribe/marketing/…`,
  })
  return { ...counts, text: layOutMail(mail).text }
}
