import { type RealmProjection, Role, type SettingChange, type SettingValue } from '@tms/contracts'
import { decideNewEmail } from '../email-changes/email-change.rules.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { changesOf } from './setting-changes.rules.ts'

/** Requested changes of the caller's account, besides the password. */
export interface RequestedChanges {
  readonly fullName: string | undefined
  readonly email: string | undefined
  readonly choices: Readonly<Record<string, SettingValue | undefined>>
}

/** The effective changes; null for none. */
export interface OwnChanges {
  readonly settings: readonly SettingChange[]
  readonly fullName: string | null
  /** Must be confirmed first. */
  readonly newEmail: string | null
}

/** Throws BAD_REQUEST if a change is not allowed. */
export function decideOwnChanges(
  own: Account,
  realm: RealmProjection,
  requested: RequestedChanges,
): OwnChanges {
  return {
    settings: changesOf(own, requested.choices),
    fullName: requested.fullName === undefined ? null : decideFullName(own, requested.fullName, realm),
    newEmail: requested.email === undefined ? null : decideNewEmail(own, requested.email, realm),
  }
}

/**
 * Where only administrators may change names, other users' names are ignored, not refused: clients send the name with
 * every form.
 */
function decideFullName(own: Account, requested: string, realm: RealmProjection): string | null {
  if (requested.trim() === own.fullName) return null
  if (realm.name_changes_disabled && own.role > Role.administrator) return null
  return checkFullName(requested)
}
