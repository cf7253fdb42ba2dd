import type { RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'

/** Client and address of a sign-in, as far as the request says. */
export interface Device {
  readonly userAgent: string | undefined
  readonly address: string | undefined
}

/** Longer texts are cut. */
const MAX_AGENT_LENGTH = 200

/** Tells a user that no more mails about sign-ins come: a link that does so never expires, and another may have found it. */
export function composeLoginMailsOffMail(
  { deliveryEmail, fullName }: Pick<Account, 'deliveryEmail' | 'fullName'>,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
): Mail {
  return {
    to: deliveryEmail,
    subject: `No more mails about sign-ins to ${name}`,
    realm: { name, url },
    paragraphs: [
      `Hello ${fullName},`,
      `mails about new sign-ins to your account at ${name} were turned off by the link in one of them. This is the last one.`,
    ],
    remarks: [
      'If that was you, there is nothing to do. If not, turn them on again in your settings, and change your password.',
    ],
  }
}

/** Informs a user of a sign-in, whose time is written as the user's settings say. */
export function composeLoginMail(
  account: Pick<Account, 'deliveryEmail' | 'fullName' | 'timezone' | 'settings' | 'emailAddressVisibility'>,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  { userAgent, address }: Device,
  { at, unsubscribeUrl }: { readonly at: Date; readonly unsubscribeUrl: string },
): Mail {
  const { deliveryEmail, fullName, timezone } = account
  const timeZone = timezone || 'UTC'
  const hourCycle = settingsOf(account)['twenty_four_hour_time'] === true ? 'h23' : 'h12'
  const format = { dateStyle: 'full', timeStyle: 'short', timeZone, hourCycle } as const
  const time = new Intl.DateTimeFormat('en-GB', format).format(at)
  const details = [
    `When: ${time} (${timeZone})`,
    `With: ${userAgent?.trim().slice(0, MAX_AGENT_LENGTH) || 'an unknown program'}`,
    ...(address === undefined ? [] : [`From: ${address}`]),
  ]
  return {
    to: deliveryEmail,
    subject: `New sign-in to ${name}`,
    realm: { name, url },
    paragraphs: [`Hello ${fullName},`, `someone has just signed in to your account at ${name}.`, ...details],
    remarks: [
      'If that was you, there is nothing to do. If not, change your password and get a new API key at once, and tell those who administer the organization.',
      'You can turn these mails off in your settings.',
    ],
    links: [{ label: 'Unsubscribe', url: unsubscribeUrl }],
    unsubscribeUrl,
  }
}
