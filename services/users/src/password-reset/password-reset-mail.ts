import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { TextKey } from '../kernel/languages/english.ts'
import { type Locale, localeOf, localeOfRealm } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Contains the key for a new password. */
export function passwordResetMail(
  realm: RealmProjection,
  { account, key, expiresAt }: { account: Account; key: string; expiresAt: Date },
): Mail {
  const { language, text, time } = localeOf(account)
  return {
    to: account.deliveryEmail,
    language,
    subject: text('password_reset.subject', { realm: realm.name }),
    realm,
    paragraphs: [text('greeting.unnamed'), text('password_reset.intro', { realm: realm.name })],
    action: {
      label: text('password_reset.action'),
      url: `${realm.url}/accounts/password/reset/${key}`,
    },
    remarks: [text('password_reset.validity', { time: time(expiresAt) }), text('password_reset.ignore')],
  }
}

/** Sent if the account is deactivated. */
export const deactivatedAccountMail = (realm: RealmProjection, account: Account): Mail =>
  refusalMail(realm, account.deliveryEmail, localeOf(account), 'deactivated')

/** Sent if the organization's directory decides about the password. */
export const directoryPasswordMail = (realm: RealmProjection, account: Account): Mail =>
  refusalMail(realm, account.deliveryEmail, localeOf(account), 'directory')

/** Sent if nobody has the address. */
export const unknownAccountMail = (realm: RealmProjection, email: string): Mail =>
  refusalMail(realm, email, localeOfRealm(realm), 'unknown')

/** Why the mail has no key. */
type Reason = 'deactivated' | 'directory' | 'unknown'

function refusalMail(realm: RealmProjection, to: string, { language, text }: Locale, reason: Reason): Mail {
  const why = `password_reset.${reason}` satisfies TextKey
  return {
    to,
    language,
    subject: text(`${why}.subject`, { realm: realm.name }),
    realm,
    paragraphs: [text('greeting.unnamed'), text('password_reset.intro', { realm: realm.name }), text(why)],
    remarks: [text('password_reset.ignore')],
  }
}

/** Informs the user that the password has changed. */
export function passwordChangedMail(realm: RealmProjection, account: Account): Mail {
  const { language, text } = localeOf(account)
  return {
    to: account.deliveryEmail,
    language,
    subject: text('password_changed.subject', { realm: realm.name }),
    realm,
    paragraphs: [text('greeting.unnamed'), text('password_changed.intro', { realm: realm.name })],
    remarks: [text('password_changed.advice')],
  }
}
