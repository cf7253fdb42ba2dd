import { badRequest, domainEvents, type endpoints, internal } from '@tms/contracts'
import { asTx, type Handler, publisherOf } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { lockOrganization, saveOrganization } from './realm.queries.ts'
import { toRealmFacts } from './realm-facts.ts'
import { channelsOf, checkMayChange, readWantedSettings } from './setting-input.rules.ts'
import { changedSettings, type ShownSettings, showSettings } from './shown-settings.ts'
import { readSettings, toStoredSettings } from './stored-settings.ts'

const publish = publisherOf('realm')

/**
 * Changes settings of the organization, all that were sent or none; answers those that are not what they were.
 * Throws UNAUTHORIZED_PRINCIPAL, BAD_REQUEST, REQUEST_CONFUSING_VAR or REQUEST_VARIABLE_INVALID.
 */
export const handleUpdateRealm: Handler<typeof endpoints.realm.updateRealm, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  checkMayChange(input, caller.role)
  const wanted = readWantedSettings(input)
  const { realmId: realm_id, userId: user_id, role } = caller
  const stream_ids = channelsOf(wanted)
  if (stream_ids.length > 0)
    await context.call(internal.messaging.checkChannels, { realm_id, user_id, role, stream_ids })

  const changes = await context.transact(async (tx): Promise<ShownSettings> => {
    const realm = await lockOrganization(tx, realm_id)
    if (!realm) throw badRequest('There is no such organization')
    const before = readSettings(realm)
    const after = { ...before, ...wanted }
    const changes = changedSettings(showSettings(before), showSettings(after))
    if (Object.keys(changes).length === 0) return changes
    const updated = await saveOrganization(tx, realm_id, toStoredSettings(after))
    const facts = toRealmFacts(updated)
    await publish(
      asTx(tx),
      domainEvents.realm.realmUpdated,
      { changes, facts },
      { realmId: realm_id, requestId },
    )
    return changes
  })
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([name]) => name in input)
      .map(([name, value]) => [name, typeof value === 'string' ? 'updated' : value]),
  )
}
