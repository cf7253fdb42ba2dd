import {
  AppError,
  domainEvents,
  EmailVisibility,
  type Joining,
  type SettingValue,
  userSettings,
} from '@tms/contracts'
import { type Account, createAccountRow, updateAccount } from '../kernel/accounts/account.queries.ts'
import { readUnfilteredRecord } from '../kernel/accounts/unfiltered-record.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import { apiEmailOf } from '../kernel/addresses/api-email.rules.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import { createApiKey } from '../kernel/credentials/api-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { joinSystemGroups } from '../kernel/groups/system-membership.ts'
import { publish } from '../kernel/publish.ts'
import { findKnownRealmById } from '../kernel/realms/known-realm.queries.ts'
import { findSettingDefaults } from '../kernel/settings/setting-defaults.queries.ts'

export interface NewAccount {
  readonly realmId: number
  readonly email: string
  readonly fullName: string
  /** Null for users whose password is not stored here. */
  readonly passwordHash: string | null
  readonly role: number
  readonly dateJoined: Date
  /** Canonical name; no time zone if absent. */
  readonly timezone?: string
  /** One of `EmailVisibility`; the organization's default if absent. */
  readonly emailAddressVisibility?: number
}

/**
 * Creates the account of a human user and publishes it. Null if the address is taken. `joining` says how the user
 * came to join; null when the organization is set up.
 */
export async function createAccount(
  tx: PrismaTx,
  account: NewAccount,
  requestId: string,
  joining: Joining | null = null,
): Promise<Account | null> {
  const { email, ...rest } = account
  const begin = await firstSettingsOf(tx, account.realmId)
  const row = { ...begin, ...rest, email, deliveryEmail: email, apiKey: createApiKey() }
  await shareAdministration(tx, account.realmId)
  const created = await createAccountRow(tx, row)
  if (!created) return null
  const stored = await withApiEmail(tx, created)

  await publish(
    tx,
    domainEvents.users.userCreated,
    {
      user: await readUnfilteredRecord(tx, stored),
      projection: toUserProjection(stored),
      ...(joining && { joined: joining }),
    },
    { realmId: stored.realmId, requestId },
  )
  await joinSystemGroups(tx, stored, requestId)
  return stored
}

/** The organization's current default settings and language. Later changes of these don't affect existing accounts. */
async function firstSettingsOf(
  tx: PrismaTx,
  realmId: number,
): Promise<{ settings: Record<string, SettingValue>; emailAddressVisibility: number }> {
  const defaults = await findSettingDefaults(tx, realmId)
  const { email_address_visibility = EmailVisibility.everyone, ...others } = defaults
  const realm = await findKnownRealmById(tx, realmId)
  const { allowed, default: standard } = userSettings.default_language
  const language = allowed.find((known) => known === realm?.default_language) ?? standard
  const settings = language === standard ? others : { ...others, default_language: language }
  return { settings, emailAddressVisibility: Number(email_address_visibility) }
}

/** A hidden address needs an API e-mail derived from the ID, which the insert assigns. */
async function withApiEmail(tx: PrismaTx, created: Account): Promise<Account> {
  if (created.emailAddressVisibility === EmailVisibility.everyone) return created
  const realm = await findKnownRealmById(tx, created.realmId)
  if (!realm) throw new AppError('SERVICE_UNAVAILABLE')
  return updateAccount(tx, created.id, { email: apiEmailOf(created, realm.url) })
}
