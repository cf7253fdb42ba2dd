import type { DomainEvent } from './domain-event.ts'
import type { AnyEndpoint } from './endpoint.ts'
import * as eventsEndpoints from './events/endpoints.ts'
import * as eventsEvents from './events/events.ts'
import * as eventsInternal from './events/internal.ts'
import * as messagingEndpoints from './messaging/endpoints.ts'
import * as messagingEvents from './messaging/events.ts'
import * as messagingInternal from './messaging/internal.ts'
import * as realmEndpoints from './realm/endpoints.ts'
import * as realmEvents from './realm/events.ts'
import * as realmInternal from './realm/internal.ts'
import * as usersEndpoints from './users/endpoints.ts'
import * as usersEvents from './users/events.ts'
import * as usersInternal from './users/internal.ts'

export * from './documents/asyncapi.ts'
export * from './documents/export-records.ts'
export * from './documents/json-schema.ts'
export * from './documents/openapi.ts'
export * from './domain-event.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export { clientEvents } from './events/client-events/all.ts'
export type { QueueStanding } from './events/internal.ts'
export * from './events/queue-record.ts'
export * from './events/register-parameters.ts'
export * from './events/register-state.ts'
export * from './events/spectator-state.ts'
export * from './exports/archive.ts'
export * from './exports/internal.ts'
export * from './exports/messaging-records.ts'
export * from './exports/realm-records.ts'
export * from './exports/records.ts'
export * from './exports/users-records.ts'
export type { ProjectionsStanding, ReplayStanding, ReplayStart } from './facts-replay.ts'
export * from './json-text.ts'
export * from './limits.ts'
export * from './messaging/channel-sight.ts'
export * from './messaging/message-audience.ts'
export * from './messaging/records.ts'
export * from './messaging/visibility.ts'
export * from './parameter.ts'
export * from './policies.ts'
export * from './realm/exports.ts'
export * from './realm/group-settings.ts'
export type { RealmChanges } from './realm/internal.ts'
export * from './realm/profile-fields.ts'
export * from './realm/records.ts'
export * from './realm/settings.ts'
export * from './system-groups.ts'
export * from './users/bots.ts'
export * from './users/email-visibility.ts'
export * from './users/groups.ts'
export * from './users/guest-sights.ts'
export type { UsersChanges } from './users/internal.ts'
export type { Joining } from './users/joining.ts'
export * from './users/notification-sounds.ts'
export * from './users/onboarding.ts'
export * from './users/person-changes.ts'
export * from './users/presence.ts'
export * from './users/profile-value.ts'
export * from './users/records.ts'
export * from './users/settings.ts'
export * from './users/unknown-user.ts'

/** Every endpoint of each service, by name. */
export const endpoints = {
  users: usersEndpoints,
  realm: realmEndpoints,
  messaging: messagingEndpoints,
  events: eventsEndpoints,
} as const

/** Every call between services, by owner and name. */
export const internal = {
  users: usersInternal,
  realm: realmInternal,
  messaging: messagingInternal,
  events: eventsInternal,
} as const

/** Every domain event, by producer and name. */
export const domainEvents = {
  users: usersEvents,
  realm: realmEvents,
  messaging: messagingEvents,
  events: eventsEvents,
} as const

/** Every endpoint in one list. */
export const allEndpoints: readonly AnyEndpoint[] = Object.values(endpoints).flatMap(
  (owned) => Object.values(owned) as unknown as AnyEndpoint[],
)

/** Those that programs call; the others are pages that people open. */
export const apiEndpoints: readonly AnyEndpoint[] = allEndpoints.filter(({ answer }) => answer !== 'page')

/** Every domain event in one list. */
export const allDomainEvents: readonly DomainEvent[] = Object.values(domainEvents).flatMap(
  (owned) => Object.values(owned) as unknown as DomainEvent[],
)
