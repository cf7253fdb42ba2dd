import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

type Realm = Pick<RealmProjection, 'name' | 'url'>

/** To the new address: contains the confirmation link. */
export function emailChangeMail(account: Account, newEmail: string, key: string, realm: Realm): Mail {
  const { language, text } = localeOf(account)
  const names = { name: account.fullName, address: account.deliveryEmail, realm: realm.name }
  return {
    to: newEmail,
    language,
    subject: text('email_change.subject', names),
    realm: { name: realm.name, url: realm.url },
    paragraphs: [text('email_change.intro', names), text('email_change.request')],
    action: {
      label: text('email_change.action'),
      url: new URL(`/accounts/confirm_new_email/${key}`, realm.url).href,
    },
    remarks: [text('email_change.remark')],
  }
}

/** To the old address, so that its owner notices an unwanted change. */
export function emailChangedMail(account: Account, newEmail: string, realm: Realm): Mail {
  const { language, text } = localeOf(account)
  const names = { name: account.fullName, address: account.deliveryEmail, realm: realm.name }
  return {
    to: account.deliveryEmail,
    language,
    subject: text('email_changed.subject', names),
    realm: { name: realm.name, url: realm.url },
    paragraphs: [
      text('email_changed.intro', { ...names, new_address: newEmail }),
      text('email_changed.advice'),
    ],
  }
}
