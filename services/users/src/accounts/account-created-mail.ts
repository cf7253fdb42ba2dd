import type { RealmProjection } from '@tms/contracts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Welcomes the owner of a new account. */
export function accountCreatedMail(
  realm: RealmProjection,
  { email, fullName }: { email: string; fullName: string },
): Mail {
  return {
    to: email,
    subject: `Welcome to ${realm.name}`,
    realm,
    paragraphs: [
      `Hello ${fullName},`,
      `You have an account in ${realm.name} now. To sign in, use this e-mail address and your password.`,
    ],
    action: { label: `Open ${realm.name}`, url: realm.url },
  }
}
