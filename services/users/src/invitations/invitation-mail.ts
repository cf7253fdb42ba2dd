import type { RealmProjection } from '@tms/contracts'
import { type Locale, localeOfRealm } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

interface Invited {
  readonly email: string
  readonly inviterName: string
  readonly url: string
  readonly expiresAt: Date | null
}

/** Invites an address, in the language of the organization. */
export function invitationMail(realm: RealmProjection, invited: Invited): Mail {
  const locale = localeOfRealm(realm)
  const { language, text } = locale
  const names = { inviter: invited.inviterName, realm: realm.name }
  return {
    to: invited.email,
    language,
    subject: text('invitation.subject', names),
    realm,
    paragraphs: [text('greeting.unnamed'), text('invitation.intro', names)],
    action: { label: text('invitation.action'), url: invited.url },
    remarks: [validityOf(locale, invited), text('invitation.ignore')],
  }
}

/** Sent some time before the invitation expires. */
export function invitationReminderMail(realm: RealmProjection, invited: Invited): Mail {
  const locale = localeOfRealm(realm)
  const { language, text } = locale
  const names = { inviter: invited.inviterName, realm: realm.name }
  return {
    to: invited.email,
    language,
    subject: text('invitation_reminder.subject', names),
    realm,
    paragraphs: [text('greeting.unnamed'), text('invitation_reminder.intro', names)],
    action: { label: text('invitation.action'), url: invited.url },
    remarks: [validityOf(locale, invited), text('invitation_reminder.only')],
  }
}

const validityOf = ({ text, time }: Locale, { expiresAt }: Invited): string =>
  expiresAt ? text('invitation.validity', { time: time(expiresAt) }) : text('invitation.unlimited')
