import type { z } from 'zod'
import { type Delivery, type Outcome, unsupported } from '../kernel/integration.ts'
import { parsePayload } from './parse-payload.ts'

/** What is made of the payloads of one event. */
export type EventHandler = (delivery: Delivery<unknown>, event: string) => Outcome

/** The handlers of a sender whose payloads differ by event. A map, so that no event is named like a property. */
export type EventTable = ReadonlyMap<string, EventHandler>

/** A handler with the schema of its payloads. */
export const on =
  <Schema extends z.ZodType>(
    schema: Schema,
    format: (delivery: Delivery<z.output<Schema>>, event: string) => Outcome,
  ): EventHandler =>
  (delivery, event) =>
    format({ ...delivery, payload: parsePayload(schema, delivery.payload) }, event)

/** What the handler of an event makes of a delivery; unsupported if there is none. */
export function handleEvent(table: EventTable, event: string, delivery: Delivery<unknown>): Outcome {
  const handler = table.get(event)
  return handler ? handler(delivery, event) : unsupported(event)
}
