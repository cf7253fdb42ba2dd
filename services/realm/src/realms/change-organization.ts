import { badRequest, type domainEvents } from '@tms/contracts'
import { asTx, type Cause, publisherOf } from '@tms/service-kit'
import type { Context, PrismaTx } from '../context.ts'
import { lockOrganization, type Organization, saveOrganization } from './realm.queries.ts'
import { toRealmFacts } from './realm-facts.ts'

const publish = publisherOf('realm')

type Told = 'linkifiersChanged' | 'customEmojiChanged' | 'profileFieldsChanged'

/**
 * Changes what an organization has: `change` runs while its row is locked, then `event` tells how it is now.
 */
export function changeOrganization<T>(
  context: Pick<Context, 'transact'>,
  event: (typeof domainEvents.realm)[Told],
  cause: Cause,
  change: (tx: PrismaTx, organization: Organization) => Promise<T>,
): Promise<T> {
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    if (!organization) throw badRequest('There is no such organization')
    const result = await change(tx, organization)
    const facts = toRealmFacts(await saveOrganization(tx, cause.realmId))
    await publish(asTx(tx), event, { facts }, cause)
    return result
  })
}
