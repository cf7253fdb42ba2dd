import type { DomainEvent, InternalEndpoint } from '@tms/contracts'
import type { z } from 'zod'
import type { Source } from '../cache-lease/lease-store.ts'
import { applyRecords } from './apply-records.ts'
import type { Projection } from './define-projection.ts'
import { containsRecords, findRecords } from './find-records.ts'
import type { DomainEventHandler } from './projection-consumer.ts'

/** The call that returns an owner's changes since a cursor. */
type ChangesEndpoint<Changes extends z.ZodType> = InternalEndpoint<
  z.ZodObject<{ since: z.ZodNullable<z.ZodString> }>,
  z.ZodObject<{ cursor: z.ZodString; changes: z.ZodNullable<Changes> }>,
  'none'
>

/** A service whose records are projected here. */
export interface ProjectionOwner<Changes extends z.ZodType = z.ZodType> {
  readonly source: Source
  /** All its events: those that contain records feed the projections. */
  readonly events: readonly DomainEvent[]
  readonly changes: ChangesEndpoint<Changes>
  /** In the order in which they are loaded. */
  readonly projections: readonly Projection[]
  /** Drops what is cached in memory of these changes; null means that anything may have changed. */
  dropCaches(changes: z.output<Changes> | null): void
  /**
   * Runs before announced changes are acknowledged, after their consequences were published. Later ones are applied
   * meanwhile.
   */
  beforeAcknowledging?(): Promise<void>
}

/** Declares an owner, and forgets the type of its changes, so that several fit in one list. */
export const projectionOwner = <Changes extends z.ZodType>(
  owner: ProjectionOwner<Changes>,
): ProjectionOwner => owner

/**
 * Handlers of the owners' events: each applies the records that its event contains, and then does what `handlers` add,
 * which happens once for an event, such as a notice.
 */
export function handlersOf(
  owners: readonly ProjectionOwner[],
  handlers: readonly DomainEventHandler[],
): readonly DomainEventHandler[] {
  const handlerByEvent = new Map(handlers.map((handler) => [handler.event, handler]))
  const published = new Set(owners.flatMap(({ events }) => events.map(({ name }) => name)))
  for (const { event } of handlers) if (!published.has(event)) throw new Error(`no owner publishes ${event}`)
  return owners.flatMap(({ events, projections }) =>
    events.flatMap(({ name, payload: contract }): DomainEventHandler[] => {
      const fed = projections.filter((projection) => containsRecords(projection, contract))
      const handler = handlerByEvent.get(name)
      if (fed.length === 0 && !handler) return []
      const apply: DomainEventHandler['apply'] = async (tx, payload, entry) => {
        for (const projection of fed)
          await applyRecords(tx, projection, findRecords(projection, contract, payload))
        await handler?.apply(tx, payload, entry)
      }
      return [{ event: name, apply }]
    }),
  )
}
