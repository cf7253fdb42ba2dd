import type { RealmProjection } from '@tms/contracts'
import type { Mail } from '../mails/mail.ts'
import { tellTime } from '../mails/tell-time.ts'

/** Makes sure that an address is of whoever wants to sign up with it. */
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
      `The link is valid until ${tellTime(expiresAt)}.`,
      'If it wasn’t you, ignore this mail: nothing happens without you.',
    ],
  }
}
