import { domainEvents, type SettingChange } from '@tms/contracts'
import { type Account, updateAccount } from '../kernel/accounts/account.queries.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { applyChanges } from './setting-changes.rules.ts'

/**
 * Changes settings of a locked account and publishes that. After the commit, apply a change of `presence_enabled`
 * with `applyPresenceChoice`.
 */
export async function changeSettings(
  tx: PrismaTx,
  before: Account,
  changes: SettingChange[],
  requestId: string,
): Promise<Account> {
  const account = await updateAccount(tx, before.id, applyChanges(before, changes))
  await publishSettings(tx, account, changes, requestId)
  return account
}

/** Publishes settings that are stored already, to administrators also whether the user agrees to exports. */
export async function publishSettings(
  tx: PrismaTx,
  account: Account,
  changes: SettingChange[],
  requestId: string,
): Promise<void> {
  const cause = { realmId: account.realmId, requestId }
  const payload = { user_id: account.id, changes, projection: toUserProjection(account) }
  await publish(tx, domainEvents.users.settingsUpdated, payload, cause)
  const consent = changes.find(({ property }) => property === 'allow_private_data_export')
  if (!consent) return
  const { exportConsentChanged } = domainEvents.users
  await publish(tx, exportConsentChanged, { user_id: account.id, consented: consent.value === true }, cause)
}

/** Whether `presence_enabled` changed. */
export function isPresenceChoice(changes: readonly SettingChange[]): boolean {
  return changes.some(({ property }) => property === 'presence_enabled')
}
