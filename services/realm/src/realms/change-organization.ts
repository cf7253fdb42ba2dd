import {
  badRequest,
  type DomainEvent,
  type domainEvents,
  type PayloadOf,
  type RealmProjection,
} from '@tms/contracts'
import { asTx, type Cause, publisherOf } from '@tms/service-kit'
import type { Context, PrismaTx } from '../context.ts'
import { type Columns, lockOrganization, type Organization, saveOrganization } from './realm.queries.ts'
import { toRealmProjection } from './realm-projection.ts'

const publish = publisherOf('realm')

type RealmEvents = typeof domainEvents.realm
type Told = 'linkifiersChanged' | 'customEmojiChanged' | 'profileFieldsChanged'

/** What a change does while the organization's row is locked. */
interface Change<E extends DomainEvent, T> {
  readonly change: (tx: PrismaTx, organization: Organization) => Promise<T>
  /** What of the row itself is another then. */
  readonly columns?: Columns
  /** What the event says of the organization as it is then. */
  readonly payload: (projection: RealmProjection, organization: Organization, result: T) => PayloadOf<E>
}

/** Changes what an organization is, or has, and tells it by an event. */
export function changeAndTell<E extends RealmEvents[keyof RealmEvents], T>(
  context: Pick<Context, 'transact'>,
  event: E,
  cause: Cause,
  { change, columns, payload }: Change<E, T>,
): Promise<T> {
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    if (!organization) throw badRequest('There is no such organization')
    const result = await change(tx, organization)
    const saved = await saveOrganization(tx, cause.realmId, columns)
    await publish(asTx(tx), event, payload(toRealmProjection(saved), saved, result), cause)
    return result
  })
}

/**
 * Changes what an organization has: `change` runs while its row is locked, then `event` tells how it is now.
 */
export function changeOrganization<T>(
  context: Pick<Context, 'transact'>,
  event: RealmEvents[Told],
  cause: Cause,
  change: (tx: PrismaTx, organization: Organization) => Promise<T>,
): Promise<T> {
  return changeAndTell(context, event, cause, { change, payload: (projection) => ({ projection }) })
}
