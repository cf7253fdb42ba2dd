import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** To the new address of an account: its owner didn't choose it here. The old address gets another mail. */
export function newAddressMail(
  account: Account,
  formerEmail: string,
  realm: Pick<RealmProjection, 'name' | 'url'>,
): Mail {
  const { language, text } = localeOf(account)
  const names = { name: account.fullName, address: formerEmail, realm: realm.name }
  return {
    to: account.deliveryEmail,
    language,
    subject: text('new_address.subject', names),
    realm: { name: realm.name, url: realm.url },
    paragraphs: [text('new_address.intro', names), text('new_address.advice')],
  }
}
