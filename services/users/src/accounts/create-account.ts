import {
  AppError,
  domainEvents,
  EmailVisibility,
  type Joining,
  type SettingValue,
  userSettings,
} from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { joinSystemGroups } from '../groups/system-membership.ts'
import { findKnownRealmById } from '../realms/known-realm.queries.ts'
import { findSettingDefaults } from '../settings/setting-defaults.queries.ts'
import { createAccountRow, type Person, updatePerson } from './account.queries.ts'
import { apiEmailOf } from './api-email.rules.ts'
import { shareEmailVisibilityLock } from './email-visibility.queries.ts'
import { toUserProjection } from './user-projection.ts'
import { readWholeRecord } from './whole-record.ts'

const publish = publisherOf('users')

export interface NewAccount {
  readonly realmId: number
  readonly email: string
  readonly fullName: string
  readonly passwordHash: string
  readonly role: number
  readonly dateJoined: Date
  /** Canonical name; none if absent. */
  readonly timezone?: string
  /** One of `EmailVisibility`; the organization's default if absent. */
  readonly emailAddressVisibility?: number
}

/**
 * Creates a person's account and tells everyone. Null when the address is taken. `joining` is how they came to join the
 * organization, where that is more than its being set up.
 */
export async function createAccount(
  tx: PrismaTx,
  account: NewAccount,
  requestId: string,
  joining: Joining | null = null,
): Promise<Person | null> {
  const { email, ...rest } = account
  const begin = await firstSettingsOf(tx, account.realmId)
  const row = { ...begin, ...rest, email, deliveryEmail: email, apiKey: createApiKey() }
  await shareEmailVisibilityLock(tx, account.realmId)
  const created = await createAccountRow(tx, row)
  if (!created) return null
  const person = await withApiEmail(tx, created)

  await publish(
    asTx(tx),
    domainEvents.users.userCreated,
    {
      user: await readWholeRecord(asTx(tx), person),
      projection: toUserProjection(person),
      ...(joining && { joined: joining }),
    },
    { realmId: person.realmId, requestId },
  )
  await joinSystemGroups(tx, person, requestId)
  return person
}

/** Settings are the organization's defaults of the moment, and its language: changing those later leaves accounts as they are. */
async function firstSettingsOf(
  tx: PrismaTx,
  realmId: number,
): Promise<{ settings: Record<string, SettingValue>; emailAddressVisibility: number }> {
  const defaults = await findSettingDefaults(asTx(tx), realmId)
  const { email_address_visibility = EmailVisibility.everyone, ...others } = defaults
  const realm = await findKnownRealmById(asTx(tx), realmId)
  const { allowed, default: standard } = userSettings.default_language
  const language = allowed.find((known) => known === realm?.default_language) ?? standard
  const settings = language === standard ? others : { ...others, default_language: language }
  return { settings, emailAddressVisibility: Number(email_address_visibility) }
}

/** The API e-mail of someone whose address isn't for everyone is made of their ID, which is known only by now. */
async function withApiEmail(tx: PrismaTx, created: Person): Promise<Person> {
  if (created.emailAddressVisibility === EmailVisibility.everyone) return created
  const realm = await findKnownRealmById(asTx(tx), created.realmId)
  if (!realm) throw new AppError('SERVICE_UNAVAILABLE')
  return updatePerson(tx, created.id, { email: apiEmailOf(created, realm.url) })
}
