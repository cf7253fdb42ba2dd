import type { MutedUser } from '@tms/contracts'
import type { ProfileData } from '../profiles/current-fields.ts'

// Columns that Prisma knows only as JSON.

export function alertWordsOf(account: { alertWords: unknown }): string[] {
  return account.alertWords as string[]
}

/** Muted users, in the order of muting. */
export function mutedUsersOf(account: { mutedUsers: unknown }): MutedUser[] {
  return account.mutedUsers as MutedUser[]
}

export function profileDataOf(account: { readonly profileData: unknown }): ProfileData {
  return account.profileData as ProfileData
}
