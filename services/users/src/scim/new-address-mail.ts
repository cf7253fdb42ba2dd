import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** To the new address of an account: its owner didn't choose it here. The old address gets another mail. */
export function newAddressMail(
  { fullName, deliveryEmail }: Pick<Account, 'fullName' | 'deliveryEmail'>,
  formerEmail: string,
  realm: Pick<RealmProjection, 'name' | 'url'>,
): Mail {
  return {
    to: deliveryEmail,
    subject: `Your account at ${realm.name} has this e-mail address now`,
    realm: { name: realm.name, url: realm.url },
    paragraphs: [
      `${fullName}, the system that manages the accounts of ${realm.name} has given your account this address instead of ${formerEmail}.`,
      'If you have no account there, please tell an administrator of the organization.',
    ],
  }
}
