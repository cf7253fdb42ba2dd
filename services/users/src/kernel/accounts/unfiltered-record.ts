import type { UserWithActivity } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { currentFieldsOf } from '../profiles/current-fields.ts'
import { listProfileFields } from '../realms/profile-field.queries.ts'
import { profileDataOf } from './json-columns.ts'
import { toUserWithActivity, type UserRecordRow } from './user-record.ts'

/**
 * Full records of users of one organization, for events; each consumer hides what its reader may not see. Reads
 * profile fields only if a user has filled some in.
 */
export async function readUnfilteredRecords<P extends UserRecordRow>(
  tx: Queryable,
  realmId: number,
  accounts: readonly P[],
): Promise<{ account: P; user: UserWithActivity }[]> {
  const isFilledIn = accounts.some((account) => Object.keys(profileDataOf(account)).length > 0)
  const profileFields = currentFieldsOf(isFilledIn ? await listProfileFields(tx, realmId) : [])
  return accounts.map((account) => {
    const viewer = { userId: account.id, role: account.role }
    return { account, user: toUserWithActivity(account, { viewer, clientGravatar: false, profileFields }) }
  })
}

/** The same for one user. */
export async function readUnfilteredRecord(tx: Queryable, account: UserRecordRow): Promise<UserWithActivity> {
  const [record] = await readUnfilteredRecords(tx, account.realmId, [account])
  if (!record) throw new Error('no record for the account')
  return record.user
}
