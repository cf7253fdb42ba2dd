import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** Client and address of a sign-in, as far as the request says. */
export interface Device {
  readonly userAgent: string | undefined
  readonly address: string | undefined
}

type Recipient = Pick<Account, 'deliveryEmail' | 'fullName'> & Parameters<typeof localeOf>[0]

/** Longer texts are cut. */
const MAX_AGENT_LENGTH = 200

/** Tells a user that no more mails about sign-ins come: a link that does so never expires, and another may have found it. */
export function composeLoginMailsOffMail(
  account: Recipient,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
): Mail {
  const { language, text } = localeOf(account)
  return {
    to: account.deliveryEmail,
    language,
    subject: text('login_mails_off.subject', { realm: name }),
    realm: { name, url },
    paragraphs: [
      text('greeting', { name: account.fullName }),
      text('login_mails_off.intro', { realm: name }),
    ],
    remarks: [text('login_mails_off.advice')],
  }
}

/** Informs a user of a sign-in. */
export function composeLoginMail(
  account: Recipient,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  { userAgent, address }: Device,
  { at, unsubscribeUrl }: { readonly at: Date; readonly unsubscribeUrl: string },
): Mail {
  const { language, text, time } = localeOf(account)
  const program = userAgent?.trim().slice(0, MAX_AGENT_LENGTH) || text('login.unknown_program')
  return {
    to: account.deliveryEmail,
    language,
    subject: text('login.subject', { realm: name }),
    realm: { name, url },
    paragraphs: [
      text('greeting', { name: account.fullName }),
      text('login.intro', { realm: name }),
      text('login.time', { time: time(at, 'full') }),
      text('login.program', { program }),
      ...(address === undefined ? [] : [text('login.address', { address })]),
    ],
    remarks: [text('login.advice'), text('login.turn_off')],
    links: [{ label: text('link.unsubscribe'), url: unsubscribeUrl }],
    unsubscribeUrl,
  }
}
