import type { RealmProjection } from '@tms/contracts'
import { formatTime } from '../kernel/mails/format-time.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Verifies the address of a user who wants to sign up. */
export function confirmationMail(
  realm: RealmProjection,
  { email, key, expiresAt }: { email: string; key: string; expiresAt: Date },
): Mail {
  return {
    to: email,
    subject: `Confirm your e-mail address for ${realm.name}`,
    realm,
    paragraphs: ['Hello,', `Someone, presumably you, wants to join ${realm.name} with this e-mail address.`],
    action: { label: 'Confirm and continue', url: `${realm.url}/accounts/do_confirm/${key}` },
    remarks: [
      `The link is valid until ${formatTime(expiresAt)}.`,
      'If it wasn’t you, ignore this mail: nothing happens without you.',
    ],
  }
}
