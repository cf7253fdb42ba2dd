import type { RealmProjection } from '@tms/contracts'
import type { Mail } from '../mails/mail.ts'

/** Tells someone that an administrator has deactivated their account, and what they were to be told of it. */
export function deactivationMail(
  to: string,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  comment: string,
): Mail {
  const told = comment.trim()
  return {
    to,
    subject: `Your account in ${name} was deactivated`,
    realm: { name, url },
    paragraphs: [
      `An administrator of ${name} has deactivated your account, so you can no longer sign in there.`,
      ...(told === '' ? [] : ['They left you this message:', told]),
    ],
  }
}
