import type { RealmProjection } from '@tms/contracts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Informs a user of the deactivation, with the administrator's comment. */
export function deactivationMail(
  to: string,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  comment: string,
): Mail {
  const message = comment.trim()
  return {
    to,
    subject: `Your account in ${name} was deactivated`,
    realm: { name, url },
    paragraphs: [
      `An administrator of ${name} has deactivated your account, so you can no longer sign in there.`,
      ...(message === '' ? [] : ['They left you this message:', message]),
    ],
  }
}
