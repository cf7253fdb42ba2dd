import type { RealmProjection } from '@tms/contracts'
import { formatTime } from '../kernel/mails/format-time.ts'
import type { Mail } from '../kernel/mails/mail.ts'

interface Invited {
  readonly email: string
  readonly inviterName: string
  readonly url: string
  readonly expiresAt: Date | null
}

export function invitationMail(realm: RealmProjection, invited: Invited): Mail {
  return {
    to: invited.email,
    subject: `${invited.inviterName} invites you to ${realm.name}`,
    realm,
    paragraphs: [
      'Hello,',
      `${invited.inviterName} would like you to join ${realm.name}, where the team talks.`,
    ],
    action: { label: 'Join', url: invited.url },
    remarks: [validity(invited), 'If you don’t know what this is about, you can ignore this mail.'],
  }
}

/** Sent some time before the invitation expires. */
export function invitationReminderMail(realm: RealmProjection, invited: Invited): Mail {
  return {
    to: invited.email,
    subject: `Your invitation to ${realm.name} is about to expire`,
    realm,
    paragraphs: [
      'Hello,',
      `${invited.inviterName} invited you to ${realm.name}, and is still waiting for you.`,
    ],
    action: { label: 'Join', url: invited.url },
    remarks: [validity(invited), 'This is the only reminder.'],
  }
}

const validity = ({ expiresAt }: Invited): string =>
  expiresAt ? `The invitation is valid until ${formatTime(expiresAt)}.` : 'The invitation does not expire.'
