import type { UserWithActivity } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { currentFieldsOf } from '../profiles/current-fields.ts'
import { findProfileFields } from '../profiles/profile-data.queries.ts'
import { profileDataOf } from '../profiles/profile-data.rules.ts'
import { type ShownPerson, toUserWithActivity } from './user-record.ts'

/**
 * People of one organization with nothing hidden: for events, whose readers each see of it what they may. Asks the
 * database where somebody has filled in profile fields.
 */
export async function readWholeRecords<P extends ShownPerson>(
  tx: Queryable,
  realmId: number,
  people: readonly P[],
): Promise<{ person: P; user: UserWithActivity }[]> {
  const isFilledIn = people.some((person) => Object.keys(profileDataOf(person)).length > 0)
  const profileFields = currentFieldsOf(isFilledIn ? await findProfileFields(tx, realmId) : [])
  return people.map((person) => {
    const viewer = { userId: person.id, role: person.role }
    return { person, user: toUserWithActivity(person, { viewer, clientGravatar: false, profileFields }) }
  })
}

/** The same of one person. */
export async function readWholeRecord(tx: Queryable, person: ShownPerson): Promise<UserWithActivity> {
  const [record] = await readWholeRecords(tx, person.realmId, [person])
  if (!record) throw new Error('one person made no record')
  return record.user
}
