import type { DomainEvent } from '../declarations/domain-event.ts'
import type { AnyEndpoint } from '../declarations/endpoint.ts'
import * as domainEvents from './domain-events.ts'
import * as endpoints from './endpoints.ts'

/** The order of services in documents. */
const services = ['users', 'realm', 'messaging', 'events'] as const

/** Every endpoint in one list. */
export const allEndpoints: readonly AnyEndpoint[] = services.flatMap((service): AnyEndpoint[] =>
  Object.values(endpoints[service]),
)

/** Endpoints of the API, without the pages for people, those of another protocol, and the addresses of integrations. */
export const apiEndpoints: readonly AnyEndpoint[] = allEndpoints.filter(
  ({ answer, auth }) =>
    !(['page', 'headers', 'scim'] as const).some((kind) => kind === answer) && auth !== 'user-by-key',
)

/** Every domain event in one list. */
export const allDomainEvents: readonly DomainEvent[] = services.flatMap((service): DomainEvent[] =>
  Object.values(domainEvents[service]),
)
