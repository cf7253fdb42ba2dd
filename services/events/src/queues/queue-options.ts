import {
  badRequest,
  type ClientCapabilities,
  clientCapabilities,
  type EndpointInput,
  type endpoints,
  queueTiming,
  Role,
} from '@tms/contracts'
import { checkEventNarrow } from '../rendering/event-narrow.ts'

export type RegisterInput = EndpointInput<typeof endpoints.events.register>

/** What register's parameters come to, with defaults. */
export interface QueueOptions {
  readonly eventTypes: string[] | null
  readonly fetchEventTypes: string[] | null
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: boolean
  readonly allPublicStreams: boolean
  readonly narrow: [string, string][]
  readonly capabilities: ClientCapabilities
  readonly lifespanSeconds: number
}

/** Checks register's parameters. Throws BAD_REQUEST. */
export function queueOptionsOf(input: RegisterInput, role: number): QueueOptions {
  const narrow = (input.narrow ?? []) as [string, string][]
  checkEventNarrow(narrow)
  const allPublicStreams = input.all_public_streams ?? false
  if (allPublicStreams && role >= Role.guest) throw badRequest('User not authorized for this query')
  const eventTypes = input.event_types ?? null
  return {
    eventTypes,
    fetchEventTypes: input.fetch_event_types ?? eventTypes,
    applyMarkdown: input.apply_markdown ?? false,
    clientGravatar: input.client_gravatar ?? true,
    slimPresence: input.slim_presence ?? false,
    includeSubscribers: input.include_subscribers ?? false,
    allPublicStreams,
    narrow,
    capabilities: capabilitiesOf(input.client_capabilities),
    lifespanSeconds: lifespanOf(input.idle_queue_timeout ?? input.queue_lifespan_secs),
  }
}

function capabilitiesOf(declared: Record<string, unknown> | undefined): ClientCapabilities {
  for (const [name, value] of Object.entries(declared ?? {})) {
    if (typeof value !== 'boolean') throw badRequest(`client_capabilities["${name}"] is not a boolean`)
  }
  if (declared && !('notification_settings_null' in declared)) {
    throw badRequest('client_capabilities must declare notification_settings_null')
  }
  return clientCapabilities.parse(declared ?? {})
}

function lifespanOf(seconds: number | 'mobile' | undefined): number {
  if (seconds === 'mobile') return queueTiming.mobileLifespanSeconds
  if (!seconds) return queueTiming.defaultLifespanSeconds
  return Math.min(seconds, queueTiming.maxLifespanSeconds)
}
