import {
  type BotDefaults,
  badRequest,
  type ClientCapabilities,
  canAccessPublicChannels,
  clientCapabilities,
  type EndpointInput,
  type endpoints,
  queueTiming,
} from '@tms/contracts'
import { CHANNEL_ID, checkEventNarrow } from '../rendering/event-narrow.ts'

export type RegisterInput = EndpointInput<typeof endpoints.events.register>
type GetEventsInput = EndpointInput<typeof endpoints.events.getEvents>

/** Declaration of a client that doesn't send its capabilities. */
const NONE_DECLARED = { notification_settings_null: false }

export interface QueueOptions {
  readonly eventTypes: string[] | null
  readonly fetchEventTypes: string[] | null
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly presenceHistoryDays: number | undefined
  readonly includeSubscribers: boolean
  readonly allPublicStreams: boolean
  readonly narrow: [string, string][]
  readonly capabilities: ClientCapabilities
  readonly lifespanSeconds: number
}

/** Checks register's parameters; a bot's `defaults` apply to omitted ones. Throws BAD_REQUEST. */
export function queueOptionsOf(
  input: RegisterInput,
  role: number,
  defaults: BotDefaults | null = null,
): QueueOptions {
  const requested = (input.narrow ?? []) as [string, string][]
  checkEventNarrow(requested)
  const narrow = requested.length > 0 ? requested : defaultNarrowOf(defaults)
  const isAllowed = canAccessPublicChannels(role)
  if (input.all_public_streams && !isAllowed) throw badRequest('User not authorized for this query')
  const allPublicStreams = input.all_public_streams ?? (isAllowed && (defaults?.all_public_streams ?? false))
  const eventTypes = input.event_types ?? null
  return {
    eventTypes,
    fetchEventTypes: input.fetch_event_types ?? eventTypes,
    applyMarkdown: input.apply_markdown ?? false,
    clientGravatar: input.client_gravatar ?? true,
    slimPresence: input.slim_presence ?? false,
    presenceHistoryDays: input.presence_history_limit_days,
    includeSubscribers: input.include_subscribers ?? false,
    allPublicStreams,
    narrow,
    capabilities: capabilitiesOf(input.client_capabilities),
    lifespanSeconds: lifespanOf(input.idle_queue_timeout ?? input.queue_lifespan_secs),
  }
}

/**
 * Parameters of register for a queue that GET /events opens: without state, without client-side avatars unless requested, and
 * each capability may be a parameter of its own.
 */
export function toRegisterInput(input: GetEventsInput): RegisterInput {
  const capabilities = Object.fromEntries(
    Object.keys(clientCapabilities.shape).flatMap((name) => {
      const value = input[name as keyof ClientCapabilities]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    ...input,
    client_capabilities: { ...(input.client_capabilities ?? NONE_DECLARED), ...capabilities },
    fetch_event_types: [],
    client_gravatar: input.client_gravatar ?? false,
    queue_lifespan_secs: input.queue_lifespan_secs ?? input.lifespan_secs,
  }
}

/** Whether a bot's defaults apply to omitted parameters. */
export function shouldReadDefaults({ narrow, all_public_streams }: RegisterInput): boolean {
  return !narrow?.length || all_public_streams === undefined
}

function defaultNarrowOf(defaults: BotDefaults | null): [string, string][] {
  const id = defaults?.events_register_stream_id ?? null
  return id === null ? [] : [[CHANNEL_ID, String(id)]]
}

function capabilitiesOf(declared: RegisterInput['client_capabilities']): ClientCapabilities {
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
