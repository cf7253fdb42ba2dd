import type { DomainEvent, domainEvents, PayloadOf, RealmProjection } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { type Columns, lockOrganization, type Organization, saveOrganization } from './realm.queries.ts'
import { toRealmProjection } from './realm-projection.ts'

type RealmEvents = typeof domainEvents.realm
type ProjectionOnlyEvent = 'linkifiersChanged' | 'customEmojiChanged' | 'profileFieldsChanged'

/** A change of an organization whose row is locked. */
interface Change<E extends DomainEvent, T> {
  readonly change: (tx: PrismaTx, organization: Organization) => Promise<T>
  /** New values of columns of the row itself. */
  readonly columns?: Columns
  /** The event's payload, from the changed organization. */
  readonly payload: (projection: RealmProjection, organization: Organization, result: T) => PayloadOf<E>
}

/** Changes an organization, or its parts, and publishes an event. */
export function changeAndPublish<E extends RealmEvents[keyof RealmEvents], T>(
  context: Pick<Context, 'transact'>,
  event: E,
  cause: Cause,
  { change, columns, payload }: Change<E, T>,
): Promise<T> {
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    const result = await change(tx, organization)
    const saved = await saveOrganization(tx, cause.realmId, columns)
    await publish(tx, event, payload(toRealmProjection(saved), saved, result), cause)
    return result
  })
}

/**
 * Changes parts of an organization: `change` runs while its row is locked, then `event` is published with the new
 * projection.
 */
export function changeOrganization<T>(
  context: Pick<Context, 'transact'>,
  event: RealmEvents[ProjectionOnlyEvent],
  cause: Cause,
  change: (tx: PrismaTx, organization: Organization) => Promise<T>,
): Promise<T> {
  return changeAndPublish(context, event, cause, { change, payload: (projection) => ({ projection }) })
}
