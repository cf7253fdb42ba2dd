import { type RealmProjection, Role, type SettingChange, type SettingValue } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import { checkFullName } from '../accounts/full-name.rules.ts'
import { decideNewEmail } from '../email-changes/email-change.rules.ts'
import { changesOf } from './setting-changes.rules.ts'

/** What someone asks to be changed of their own account, beside the password. */
export interface AskedChanges {
  readonly fullName: string | undefined
  readonly email: string | undefined
  readonly choices: Readonly<Record<string, SettingValue | undefined>>
}

/** What of that is news; null is nothing. */
export interface OwnChanges {
  readonly settings: readonly SettingChange[]
  readonly fullName: string | null
  /** To be confirmed first. */
  readonly newEmail: string | null
}

/** Throws BAD_REQUEST if any of it is not allowed. */
export function decideOwnChanges(own: Person, realm: RealmProjection, asked: AskedChanges): OwnChanges {
  return {
    settings: changesOf(own, asked.choices),
    fullName: asked.fullName === undefined ? null : decideFullName(own, asked.fullName, realm),
    newEmail: asked.email === undefined ? null : decideNewEmail(own, asked.email, realm),
  }
}

/** Where only administrators change names, others' wish is left unheard: clients send the name with every form. */
function decideFullName(own: Person, asked: string, realm: RealmProjection): string | null {
  if (asked.trim() === own.fullName) return null
  if (realm.name_changes_disabled && own.role > Role.administrator) return null
  return checkFullName(asked)
}
