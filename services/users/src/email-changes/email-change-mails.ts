import type { RealmProjection } from '@tms/contracts'
import type { Mail } from '../kernel/mails/mail.ts'

type Realm = Pick<RealmProjection, 'name' | 'url'>

/** To the new address: contains the confirmation link. */
export function emailChangeMail(
  { fullName, deliveryEmail }: { fullName: string; deliveryEmail: string },
  newEmail: string,
  key: string,
  realm: Realm,
): Mail {
  return {
    to: newEmail,
    subject: `Confirm your new e-mail address for ${realm.name}`,
    realm: { name: realm.name, url: realm.url },
    paragraphs: [
      `${fullName}, you asked to use this address instead of ${deliveryEmail} at ${realm.name}.`,
      'Please confirm that it is yours. Until then your present address stays in use.',
    ],
    action: {
      label: 'Confirm the address',
      url: new URL(`/accounts/confirm_new_email/${key}`, realm.url).href,
    },
    remarks: ['The link works once, for a day. If you did not ask for this, you need do nothing.'],
  }
}

/** To the old address, so that its owner notices an unwanted change. */
export function emailChangedMail(
  { fullName, deliveryEmail }: { fullName: string; deliveryEmail: string },
  newEmail: string,
  realm: Realm,
): Mail {
  return {
    to: deliveryEmail,
    subject: `Your e-mail address for ${realm.name} has changed`,
    realm: { name: realm.name, url: realm.url },
    paragraphs: [
      `${fullName}, the e-mail address of your account at ${realm.name} is now ${newEmail}. ${deliveryEmail} is no longer used.`,
      'If that was not you, please tell an administrator of the organization at once.',
    ],
  }
}
