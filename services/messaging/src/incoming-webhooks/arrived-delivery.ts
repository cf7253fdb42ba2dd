import type { AnyIntegration } from '@tms/integrations'
import type { Caller, Logger } from '@tms/service-kit'

/** What arrived at the address of an integration, or is posted later or again. */
export interface ArrivedDelivery {
  readonly integration: AnyIntegration
  readonly caller: Caller
  readonly address: AddressParameters
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** What names it, so that another attempt posts nothing twice; null if another attempt is another delivery. */
  readonly name: DeliveryName | null
  readonly requestId: string | null
  readonly log: Logger
}

/** The sender's ID of a delivery, which it repeats with it; or ours of one that waits. */
export type DeliveryName = { readonly sendersId: string } | { readonly waitingId: number }

/** What an address says beside the key. */
export interface AddressParameters {
  readonly stream: string | null
  readonly topic: string | null
  readonly onlyEvents: readonly string[] | null
  readonly excludeEvents: readonly string[] | null
  readonly secret: string | null
  readonly others: Readonly<Record<string, string>>
}

/** The parameters of an address as they are kept. */
export function parametersOf({
  stream,
  topic,
  onlyEvents,
  excludeEvents,
  others,
}: AddressParameters): Record<string, string> {
  return {
    ...(stream === null ? {} : { stream }),
    ...(topic === null ? {} : { topic }),
    ...(onlyEvents === null ? {} : { only_events: JSON.stringify(onlyEvents) }),
    ...(excludeEvents === null ? {} : { exclude_events: JSON.stringify(excludeEvents) }),
    ...others,
  }
}

/** The address of kept parameters; signatures aren't checked again. */
export function addressOf(parameters: Readonly<Record<string, string>>): AddressParameters {
  const { stream = null, topic = null, only_events: only, exclude_events: exclude, ...others } = parameters
  const listOf = (text: string | undefined) => (text === undefined ? null : (JSON.parse(text) as string[]))
  return { stream, topic, onlyEvents: listOf(only), excludeEvents: listOf(exclude), secret: null, others }
}
