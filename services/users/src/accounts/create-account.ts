import { AppError, domainEvents, EmailVisibility, type SettingValue } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { findKnownRealmById } from '../realms/known-realm.queries.ts'
import { findSettingDefaults } from '../settings/setting-defaults.queries.ts'
import { createAccountRow, type Person, updatePerson } from './account.queries.ts'
import { apiEmailOf } from './api-email.rules.ts'
import { toUserFacts } from './user-facts.ts'
import { toWholeRecord } from './user-record.ts'

const publish = publisherOf('users')

/** Creates a person's account and tells everyone. Null when the address is taken. */
export async function createAccount(
  tx: PrismaTx,
  account: {
    realmId: number
    email: string
    fullName: string
    passwordHash: string
    role: number
    dateJoined: Date
  },
  requestId: string,
): Promise<Person | null> {
  const { email, ...rest } = account
  const begin = await firstSettingsOf(tx, account.realmId)
  const row = { ...rest, ...begin, email, deliveryEmail: email, apiKey: createApiKey() }
  const created = await createAccountRow(tx, row)
  if (!created) return null
  const person = await withApiEmail(tx, created)

  await publish(
    asTx(tx),
    domainEvents.users.userCreated,
    { user: toWholeRecord(person), facts: toUserFacts(person) },
    { realmId: person.realmId, requestId },
  )
  return person
}

/** Settings are the organization's defaults of the moment: changing those later leaves accounts as they are. */
async function firstSettingsOf(
  tx: PrismaTx,
  realmId: number,
): Promise<{ settings: Record<string, SettingValue>; emailAddressVisibility: number }> {
  const defaults = await findSettingDefaults(asTx(tx), realmId)
  const { email_address_visibility = EmailVisibility.everyone, ...settings } = defaults
  return { settings, emailAddressVisibility: Number(email_address_visibility) }
}

/** The API e-mail of someone whose address isn't for everyone is made of their ID, which is known only by now. */
async function withApiEmail(tx: PrismaTx, created: Person): Promise<Person> {
  if (created.emailAddressVisibility === EmailVisibility.everyone) return created
  const realm = await findKnownRealmById(asTx(tx), created.realmId)
  if (!realm) throw new AppError('SERVICE_UNAVAILABLE')
  return updatePerson(tx, created.id, { email: apiEmailOf(created, realm.url) })
}
