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

const parts = {
  'realm.linkifiers_changed.v1': 'linkifiers',
  'realm.custom_emoji_changed.v1': 'custom_emoji',
  'realm.profile_fields_changed.v1': 'custom_profile_fields',
} as const

/** The parts that differ, as they were and as they are. */
function changedParts(
  before: readonly object[],
  after: readonly object[],
): { before: readonly object[]; after: readonly object[] } {
  const [former, present] = [before, after].map((list) => new Set(list.map((part) => JSON.stringify(part))))
  return {
    before: before.filter((part) => !present?.has(JSON.stringify(part))),
    after: after.filter((part) => !former?.has(JSON.stringify(part))),
  }
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
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    const result = await change(tx, organization)
    const saved = await saveOrganization(tx, cause.realmId)
    const before = toRealmProjection(organization)
    const projection = toRealmProjection(saved)
    // The parts of each event have a type of their own, which no type says of all of them.
    const publishOne = publish as (
      tx: PrismaTx,
      event: DomainEvent,
      payload: unknown,
      cause: Cause,
    ) => Promise<void>
    const changed = changedParts(before[parts[event.name]], projection[parts[event.name]])
    await publishOne(tx, event, { projection, changed }, cause)
    return result
  })
}
