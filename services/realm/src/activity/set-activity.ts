import { badRequest, domainEvents, internal, type RealmFacts } from '@tms/contracts'
import { asTx, type Cause, publisherOf } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { lockOrganization, saveOrganization } from '../realms/realm.queries.ts'
import { toRealmFacts } from '../realms/realm-facts.ts'

const publish = publisherOf('realm')

interface Outcome {
  readonly facts: RealmFacts
  readonly isChanged: boolean
}

/**
 * Deactivates or reactivates an organization, if it isn't as wanted already, and has the accounts' service know before it returns:
 * from that gateways learn it within a second, whatever the broker does (decision 16). Throws BAD_REQUEST for an unknown one, and
 * SERVICE_UNAVAILABLE when the change is made but that service can't be told; doing it again tells it again. Returns whether it
 * was otherwise before.
 */
export async function setActivity(
  context: Pick<Context, 'transact' | 'call'>,
  isActive: boolean,
  cause: Cause,
): Promise<boolean> {
  const { realmDeactivated, realmReactivated } = domainEvents.realm
  const { facts, isChanged } = await context.transact(async (tx): Promise<Outcome> => {
    const organization = await lockOrganization(tx, cause.realmId)
    if (!organization) throw badRequest('There is no such organization')
    if (organization.isActive === isActive) return { facts: toRealmFacts(organization), isChanged: false }
    const saved = toRealmFacts(await saveOrganization(tx, cause.realmId, { isActive }))
    await publish(asTx(tx), isActive ? realmReactivated : realmDeactivated, { facts: saved }, cause)
    return { facts: saved, isChanged: true }
  })
  await context.call(internal.users.keepRealmFacts, { facts })
  return isChanged
}
