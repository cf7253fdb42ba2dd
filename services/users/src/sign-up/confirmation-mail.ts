import type { RealmProjection } from '@tms/contracts'
import { localeOfRealm } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Verifies the address of a user who wants to sign up, in the language of the organization. */
export function confirmationMail(
  realm: RealmProjection,
  { email, key, expiresAt }: { email: string; key: string; expiresAt: Date },
): Mail {
  const { language, text, time } = localeOfRealm(realm)
  return {
    to: email,
    language,
    subject: text('confirmation.subject', { realm: realm.name }),
    realm,
    paragraphs: [text('greeting.unnamed'), text('confirmation.intro', { realm: realm.name })],
    action: { label: text('confirmation.action'), url: `${realm.url}/accounts/do_confirm/${key}` },
    remarks: [text('confirmation.validity', { time: time(expiresAt) }), text('confirmation.ignore')],
  }
}
