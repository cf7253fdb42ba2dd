import type { domainEvents, PayloadOf, RealmProjection } from '@tms/contracts'
import { showPlayground } from '../kernel/parts/playground.ts'
import type { Organization } from '../kernel/realms/realm.queries.ts'

/** Payload of the event after a change of code playgrounds: all of them. */
export function playgroundsPayload(
  projection: RealmProjection,
  { playgrounds }: Organization,
): PayloadOf<typeof domainEvents.realm.playgroundsChanged> {
  return { playgrounds: playgrounds.map(showPlayground), projection }
}
