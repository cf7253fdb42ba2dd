import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Welcomes the owner of a new account. */
export function accountCreatedMail(realm: RealmProjection, account: Account): Mail {
  const { language, text } = localeOf(account)
  return {
    to: account.deliveryEmail,
    language,
    subject: text('welcome.subject', { realm: realm.name }),
    realm,
    paragraphs: [text('greeting', { name: account.fullName }), text('welcome.intro', { realm: realm.name })],
    action: { label: text('open', { realm: realm.name }), url: realm.url },
  }
}
