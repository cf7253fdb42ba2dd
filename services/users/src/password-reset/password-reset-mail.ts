import type { RealmProjection } from '@tms/contracts'
import { formatTime } from '../kernel/mails/format-time.ts'
import type { Mail } from '../kernel/mails/mail.ts'

const REQUESTED = 'Someone, presumably you, asked for a new password for this e-mail address'
const IGNORE = 'If it wasn’t you, ignore this mail: nothing changes without you.'

/** Contains the key for a new password. */
export function passwordResetMail(
  realm: RealmProjection,
  { email, key, expiresAt }: { email: string; key: string; expiresAt: Date },
): Mail {
  return {
    to: email,
    subject: `A new password for ${realm.name}`,
    realm,
    paragraphs: ['Hello,', `${REQUESTED} in ${realm.name}.`],
    action: { label: 'Choose a new password', url: `${realm.url}/accounts/password/reset/${key}` },
    remarks: [`The link works once, until ${formatTime(expiresAt)}.`, IGNORE],
  }
}

/** Sent if the account is deactivated. */
export function deactivatedAccountMail(realm: RealmProjection, email: string): Mail {
  return {
    to: email,
    subject: `Your account in ${realm.name} is deactivated`,
    realm,
    paragraphs: [
      'Hello,',
      `${REQUESTED} in ${realm.name}. The account is deactivated: ask an administrator of the organization to reactivate it.`,
    ],
    remarks: [IGNORE],
  }
}

/** Sent if the organization's directory decides about the password. */
export function directoryPasswordMail(realm: RealmProjection, email: string): Mail {
  return {
    to: email,
    subject: `Your password for ${realm.name}`,
    realm,
    paragraphs: [
      'Hello,',
      `${REQUESTED} in ${realm.name}. Your password there is that of your organization’s directory, which you use elsewhere too: change it where you usually do.`,
    ],
    remarks: [IGNORE],
  }
}

/** Sent if nobody has the address. */
export function unknownAccountMail(realm: RealmProjection, email: string): Mail {
  return {
    to: email,
    subject: `No account in ${realm.name}`,
    realm,
    paragraphs: [
      'Hello,',
      `${REQUESTED} in ${realm.name}, but there is no account with it. You may have signed up with another address.`,
    ],
    remarks: [IGNORE],
  }
}

/** Informs the user that the password has changed. */
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
