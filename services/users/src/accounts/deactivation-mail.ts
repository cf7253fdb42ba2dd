import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Informs a user of the deactivation, with the administrator's comment. */
export function deactivationMail(
  account: Pick<Account, 'deliveryEmail'> & Parameters<typeof localeOf>[0],
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  comment: string,
): Mail {
  const { language, text } = localeOf(account)
  const message = comment.trim()
  return {
    to: account.deliveryEmail,
    language,
    subject: text('deactivation.subject', { realm: name }),
    realm: { name, url },
    paragraphs: [
      text('deactivation.intro', { realm: name }),
      ...(message === '' ? [] : [text('deactivation.comment'), message]),
    ],
  }
}
