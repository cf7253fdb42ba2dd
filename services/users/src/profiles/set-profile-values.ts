import { AppError, badRequest, type ProfileValue } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { changePerson } from '../accounts/change-person.ts'
import type { PrismaTx } from '../context.ts'
import { findPresentPeople } from '../presence/presence.queries.ts'
import { lockProfileFields } from './profile-data.queries.ts'
import { profileChanges, profileDataOf, withValues } from './profile-data.rules.ts'
import { checkValue } from './profile-value.rules.ts'

/**
 * Fills in profile fields of a person, all or none, and tells everyone what changed. `before` must be locked
 * (`lockPerson`), and the organization known (`context.realms.findById`). Throws BAD_REQUEST for fields that there
 * aren't and values that don't fit.
 */
export async function setProfileValues(
  tx: PrismaTx,
  before: Person,
  values: readonly ProfileValue[],
  requestId: string | null,
): Promise<Person> {
  if (before.isBot) throw badRequest('Bots have no profile')
  const fields = await lockProfileFields(asTx(tx), before.realmId)
  if (!fields) throw new AppError('SERVICE_UNAVAILABLE')
  const checked = values.map(({ id, value }) => {
    const field = fields.find((one) => one.id === id)
    if (!field) throw badRequest(`Field id ${id} not found.`)
    return checkValue(field, value)
  })
  await checkPeople(tx, before.realmId, new Set(checked.flatMap(({ userIds }) => userIds)))

  const had = profileDataOf(before)
  const has = withValues(had, checked)
  const changes = profileChanges(had, has, fields)
  return changes.length === 0 ? before : changePerson(tx, before, { profileData: has }, requestId, changes)
}

async function checkPeople(tx: PrismaTx, realmId: number, ids: ReadonlySet<number>): Promise<void> {
  const people = await findPresentPeople(asTx(tx), realmId, [...ids])
  for (const id of ids) if (!people.has(id)) throw badRequest(`Invalid user ID: ${id}`)
}
