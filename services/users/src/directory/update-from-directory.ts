import { AppError, type ProfileField, type ProfileValue, type RealmProjection, Role } from '@tms/contracts'
import { runAs } from '@tms/service-kit'
import { countOtherOwners, listBotsAndOwner } from '../accounts/administration.queries.ts'
import { isLastOwner } from '../accounts/administration.rules.ts'
import { limitBotRoles } from '../bots/limit-bot-roles.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockAccounts } from '../kernel/accounts/account-list.queries.ts'
import { claimFullName } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { profileDataOf } from '../kernel/accounts/json-columns.ts'
import { lockAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { listProfileFields } from '../kernel/realms/profile-field.queries.ts'
import { checkValue } from '../profiles/profile-value.rules.ts'
import { setProfileValues } from '../profiles/set-profile-values.ts'
import type { Person } from './person.rules.ts'

/** What a directory would change of an account. */
export interface DirectoryChange {
  readonly fullName?: string
  readonly role?: number
  readonly profile?: readonly ProfileValue[]
}

/** What another server says about the user of an account. */
type Said = Pick<Person, 'fullName' | 'role' | 'decidesAboutOwners' | 'profile'>

/** What differs between an account and its directory entry. What the organization's rules forbid is left out. */
export async function findDirectoryChange(
  { db }: Pick<Context, 'db'>,
  account: Account,
  person: Said,
): Promise<DirectoryChange> {
  const name = person.fullName === null ? null : validName(person.fullName)
  const fields = person.profile.size === 0 ? [] : await listProfileFields(db, account.realmId)
  const profile = profileChanges(account, person, fields)
  const role = decideRole(account, person)
  return {
    ...(name !== null && name !== account.fullName && { fullName: name }),
    ...(role !== null && { role }),
    ...(profile.length > 0 && { profile }),
  }
}

/** Applies what a directory says, and publishes that. The only owner stays one. */
export async function applyDirectoryChange(
  context: Pick<Context, 'transact' | 'call'>,
  realm: RealmProjection,
  accountId: number,
  change: DirectoryChange,
  requestId: string | null,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await runAs('directory', () => applyChange(context, realm, accountId, change, requestId))
}

async function applyChange(
  context: Pick<Context, 'transact' | 'call'>,
  realm: RealmProjection,
  accountId: number,
  change: DirectoryChange,
  requestId: string | null,
): Promise<void> {
  const { realm_id: realmId } = realm
  const withOtherRole = await context.transact(async (tx) => {
    if (change.role !== undefined) await lockAdministration(tx, realmId)
    const bots = change.role === undefined ? [] : await listBotsAndOwner(tx, realmId, accountId)
    const locked = await lockAccounts(tx, realmId, [accountId, ...bots])
    const account = locked.find(({ id }) => id === accountId)
    if (!account?.isActive) return null
    const columns = {
      ...(await roleColumn(tx, account, change.role)),
      ...(await nameColumn(tx, account, realm, change.fullName)),
    }
    const changed =
      Object.keys(columns).length > 0 ? await changeAccount(tx, account, columns, requestId) : account
    if (changed.role > account.role) await limitBotRoles(tx, changed, requestId)
    if (change.profile)
      await setProfileValues(tx, changed, { values: change.profile, role: Role.owner }, requestId)
    return changed.role === account.role ? null : changed
  })
  // The new role may see other channels.
  if (withOtherRole) await updateChannelNamesOf(context, withOtherRole)
}

/** The account's new role; null if it stays. */
function decideRole(account: Account, { role, decidesAboutOwners }: Said): number | null {
  if (role === account.role || (account.role === Role.owner && !decidesAboutOwners)) return null
  return role
}

async function roleColumn(
  tx: PrismaTx,
  account: Account,
  role: number | undefined,
): Promise<{ role?: number }> {
  if (role === undefined || role === account.role) return {}
  const others = await countOtherOwners(tx, account.realmId, account.id)
  return isLastOwner(account, others) ? {} : { role }
}

async function nameColumn(
  tx: PrismaTx,
  account: Account,
  realm: RealmProjection,
  fullName: string | undefined,
): Promise<{ fullName?: string }> {
  if (fullName === undefined || fullName === account.fullName) return {}
  const isFree =
    !realm.require_unique_names || (await claimFullName(tx, account.realmId, fullName, account.id))
  return isFree ? { fullName } : {}
}

/** Values that differ, of fields that the organization has; those that a field doesn't take are left out. */
function profileChanges(
  account: Account,
  { profile }: Said,
  fields: readonly ProfileField[],
): ProfileValue[] {
  const present = profileDataOf(account)
  return [...profile].flatMap(([name, value]) => {
    const field = fields.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!field || !isValid(field, value)) return []
    const current = present[field.id]?.value ?? null
    return current === value ? [] : [{ id: field.id, value }]
  })
}

const validName = (text: string): string | null => orNull(() => checkFullName(text))

const isValid = (field: ProfileField, value: string | null): boolean =>
  orNull(() => checkValue(field, value)) !== null

/** Null if the rule refuses. */
function orNull<T>(rule: () => T): T | null {
  try {
    return rule()
  } catch (err) {
    if (err instanceof AppError) return null
    throw err
  }
}
