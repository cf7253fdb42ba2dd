import type { RealmProjection } from '@tms/contracts'
import type { Mail } from '../mails/mail.ts'
import { tellTime } from '../mails/tell-time.ts'

const ASKED = 'Someone, presumably you, asked for a new password for this e-mail address'
const IGNORE = 'If it wasn’t you, ignore this mail: nothing changes without you.'

/** Has the key for a new password. */
export function passwordResetMail(
  realm: RealmProjection,
  { email, key, expiresAt }: { email: string; key: string; expiresAt: Date },
): Mail {
  return {
    to: email,
    subject: `A new password for ${realm.name}`,
    realm,
    paragraphs: ['Hello,', `${ASKED} in ${realm.name}.`],
    action: { label: 'Choose a new password', url: `${realm.url}/accounts/password/reset/${key}` },
    remarks: [`The link works once, until ${tellTime(expiresAt)}.`, IGNORE],
  }
}

/** For an account that can't be used. */
export function deactivatedAccountMail(realm: RealmProjection, email: string): Mail {
  return {
    to: email,
    subject: `Your account in ${realm.name} is deactivated`,
    realm,
    paragraphs: [
      'Hello,',
      `${ASKED} in ${realm.name}. The account is deactivated: ask an administrator of the organization to reactivate it.`,
    ],
    remarks: [IGNORE],
  }
}

/** For an address that nobody has there. */
export function unknownAccountMail(realm: RealmProjection, email: string): Mail {
  return {
    to: email,
    subject: `No account in ${realm.name}`,
    realm,
    paragraphs: [
      'Hello,',
      `${ASKED} in ${realm.name}, but there is no account with it. You may have signed up with another address.`,
    ],
    remarks: [IGNORE],
  }
}

/** Tells the owner of an account that its password is another. */
export function passwordChangedMail(realm: RealmProjection, email: string): Mail {
  return {
    to: email,
    subject: `Your password for ${realm.name} was changed`,
    realm,
    paragraphs: ['Hello,', `The password of your account in ${realm.name} has just been changed.`],
    remarks: [
      'If it wasn’t you, ask for a new password at once, and tell an administrator of the organization.',
    ],
  }
}
