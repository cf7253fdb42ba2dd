import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Characters of a refused reply that are sent back. */
const MAX_CHARACTERS = 10_000

/** Tells a user that their reply wasn't posted, and why; it has the text, so that nothing is lost. */
export function refusedReplyMail(
  realm: Pick<RealmProjection, 'name' | 'url'>,
  account: Account,
  { subject, text, reason }: { readonly subject: string; readonly text: string; readonly reason: string },
): Mail {
  const locale = localeOf(account)
  const { name, url } = realm
  // A cut may halve a character, which the database doesn't take.
  const shown = text.slice(0, MAX_CHARACTERS).toWellFormed()
  return {
    to: account.deliveryEmail,
    toName: account.fullName,
    recipient: { realmId: account.realmId, userId: account.id },
    language: locale.language,
    subject: locale.text('reply.refused.subject'),
    realm: { name, url },
    paragraphs: [
      locale.text('greeting', { name: account.fullName }),
      locale.text('reply.refused.intro', { subject, realm: name }),
      reason,
    ],
    ...(shown !== '' && { messages: [{ senderName: null, text: shown, html: asHtml(shown) }] }),
    action: { label: locale.text('open', { realm: name }), url: `${url}/` },
  }
}

/** The answer to a reply by which somebody tries replies out. */
export function testedReplyMail(realm: Pick<RealmProjection, 'name' | 'url'>, account: Account): Mail {
  const { language, text } = localeOf(account)
  const { name, url } = realm
  return {
    to: account.deliveryEmail,
    toName: account.fullName,
    language,
    subject: text('reply.tested.subject'),
    realm: { name, url },
    paragraphs: [text('greeting', { name: account.fullName }), text('reply.tested')],
  }
}

const asHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replace(/&/g, '&amp;').replace(/</g, '&lt;').replaceAll('\n', '<br>')}</p>`)
    .join('\n')
