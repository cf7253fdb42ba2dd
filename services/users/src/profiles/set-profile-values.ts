import { AppError, badRequest, type ProfileValue, Role } from '@tms/contracts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { findActiveUsers } from '../kernel/accounts/active-user.queries.ts'
import { profileDataOf } from '../kernel/accounts/json-columns.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockProfileFields } from '../kernel/realms/profile-field.queries.ts'
import { applyValues, diffProfileData } from './profile-data.rules.ts'
import { checkValue } from './profile-value.rules.ts'

/** Values to set, and the role of the user who sets them. */
interface Filling {
  readonly values: readonly ProfileValue[]
  readonly role: number
}

/**
 * Sets profile values of a user, all or none, and publishes what changed. `before` must be locked (`lockAccount`),
 * and the organization known (`context.realms.findById`). Throws BAD_REQUEST for unknown fields, invalid values, and
 * fields that only administrators fill in.
 */
export async function setProfileValues(
  tx: PrismaTx,
  before: Account,
  { values, role }: Filling,
  requestId: string | null,
): Promise<Account> {
  if (before.isBot) throw badRequest('Bots have no profile')
  const fields = await lockProfileFields(tx, before.realmId)
  if (!fields) throw new AppError('SERVICE_UNAVAILABLE')
  const checked = values.map(({ id, value }) => {
    const field = fields.find((one) => one.id === id)
    if (!field) throw badRequest(`Field id ${id} not found.`)
    // The projection of the previous release lacks it.
    if (field.editable_by_user === false && role > Role.administrator)
      throw badRequest('Only administrators can change this field')
    return checkValue(field, value)
  })
  await checkUserIds(tx, before.realmId, new Set(checked.flatMap(({ userIds }) => userIds)))

  const current = profileDataOf(before)
  const has = applyValues(current, checked)
  const changes = diffProfileData(current, has, fields)
  return changes.length === 0 ? before : changeAccount(tx, before, { profileData: has }, requestId, changes)
}

async function checkUserIds(tx: PrismaTx, realmId: number, ids: ReadonlySet<number>): Promise<void> {
  const accounts = await findActiveUsers(tx, realmId, [...ids])
  for (const id of ids) if (!accounts.has(id)) throw badRequest(`Invalid user ID: ${id}`)
}
