import type { RealmProjection } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import type { Mail } from '../mails/mail.ts'

/** From where someone signed in, as far as the request says. */
export interface Device {
  readonly userAgent: string | undefined
  readonly address: string | undefined
}

/** Beyond this it's no name of a program. */
const MAX_AGENT_LENGTH = 200

/** Tells the owner of an account that someone signed in to it. */
export function composeLoginMail(
  { deliveryEmail, fullName, timezone }: Pick<Person, 'deliveryEmail' | 'fullName' | 'timezone'>,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  { userAgent, address }: Device,
  at: Date,
): Mail {
  const timeZone = timezone || 'UTC'
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(
    at,
  )
  const projection = [
    `When: ${time} (${timeZone})`,
    `With: ${userAgent?.trim().slice(0, MAX_AGENT_LENGTH) || 'an unknown program'}`,
    ...(address === undefined ? [] : [`From: ${address}`]),
  ]
  return {
    to: deliveryEmail,
    subject: `New sign-in to ${name}`,
    realm: { name, url },
    paragraphs: [
      `Hello ${fullName},`,
      `someone has just signed in to your account at ${name}.`,
      ...projection,
    ],
    remarks: [
      'If that was you, there is nothing to do. If not, change your password and get a new API key at once, and tell those who administer the organization.',
      'You can turn these mails off in your settings.',
    ],
  }
}
