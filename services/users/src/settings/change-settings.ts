import { domainEvents, type SettingChange } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import { type Person, updatePerson } from '../accounts/account.queries.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import type { PrismaTx } from '../context.ts'
import { applyChanges } from './setting-changes.rules.ts'

const publish = publisherOf('users')

/**
 * Gives settings of an account their new values and tells it. Lock the account first. After the commit, a change of
 * `presence_enabled` is to be shown: `showPresenceChoice`.
 */
export async function changeSettings(
  tx: PrismaTx,
  before: Person,
  changes: SettingChange[],
  requestId: string,
): Promise<Person> {
  const person = await updatePerson(tx, before.id, applyChanges(before, changes))
  await tellSettings(tx, person, changes, requestId)
  return person
}

/** Tells settings of an account that are stored already. */
export function tellSettings(
  tx: PrismaTx,
  person: Person,
  changes: SettingChange[],
  requestId: string,
): Promise<void> {
  return publish(
    asTx(tx),
    domainEvents.users.settingsUpdated,
    { user_id: person.id, changes, projection: toUserProjection(person) },
    { realmId: person.realmId, requestId },
  )
}

/** Whether someone chose to show presence, or not to. */
export function isPresenceChoice(changes: readonly SettingChange[]): boolean {
  return changes.some(({ property }) => property === 'presence_enabled')
}
