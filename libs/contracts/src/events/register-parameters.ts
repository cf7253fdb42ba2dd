import { z } from 'zod'
import { optionalJson, optionalTextOrJson, type Parameter } from '../declarations/parameter.ts'
import { declaredCapabilities, forEachCapability } from '../register/register-state.ts'
import { presenceTiming } from '../users/presence.ts'

/** All of this is stored for as long as the queue lives, so it is limited to what clients need. */
const eventTypes = z.array(z.string().max(100)).max(500)
const narrow = z.array(z.array(z.string().max(300)).length(2)).max(100)

const seconds = z.union([z.int().nonnegative(), z.literal('mobile')], {
  error: 'must be a number of seconds, 0 or more, or mobile',
})

/** Parameters of register; GET /events also accepts them, instead of `queue_id`. */
export const registerParameters = {
  event_types: optionalJson(eventTypes.nullable(), {
    description: 'Event types to queue; all if absent or null.',
  }),
  fetch_event_types: optionalJson(eventTypes.nullable(), {
    description: 'Initial data to return; the same as `event_types` if absent or null.',
  }),
  apply_markdown: optionalJson(z.boolean(), {
    description: 'Message events contain HTML if true, the raw text if false. Default false.',
  }),
  client_gravatar: optionalJson(z.boolean(), {
    description: '`avatar_url` is null if the client computes it. Default true.',
  }),
  slim_presence: optionalJson(z.boolean(), { description: 'Presence is keyed by user ID. Default false.' }),
  presence_history_limit_days: optionalJson(z.int(), {
    description: `Initial presence has only users who were present in so many days. Default ${presenceTiming.defaultHistoryDays}, at most 365.`,
  }),
  include_subscribers: optionalJson(z.boolean(), {
    description: 'Adds `subscribers` to channels. Default false.',
  }),
  all_public_streams: optionalJson(z.boolean(), {
    description: 'Message events of all public channels, subscribed or not. Default false.',
  }),
  narrow: optionalJson(narrow, {
    description:
      'Selects message events: a list of [operator, operand], all of which must match. `channel` or `stream` with a name, `topic` with a name, `sender` with an e-mail address; `is` with `dm`, `private`, `starred`, `unread`, `mentioned`, `alerted` (the same as `mentioned`) or `resolved`; `is` with anything else matches everything. With a narrow, messages of public channels are included even if you are not subscribed.',
  }),
  client_capabilities: optionalJson(declaredCapabilities, {
    description:
      'Capabilities of the client, each false if absent; `notification_settings_null` is mandatory if this is sent.',
  }),
  queue_lifespan_secs: optionalJson(z.int().nonnegative(), {
    description:
      'Seconds without a poll after which the queue is deleted; 0 means 600, at most 604800. A queue with very many undelivered events, 20,000 unless configured otherwise, is deleted sooner.',
  }),
  idle_queue_timeout: optionalTextOrJson(seconds, {
    description:
      'The newer name of `queue_lifespan_secs`, which is used if both are sent: seconds, or `mobile` for 12 hours. The answer has it as `idle_queue_timeout_secs`.',
  }),
}

const capability = (description: string): Parameter<boolean, false> =>
  optionalJson(z.boolean(), {
    description: `As in \`client_capabilities\`, for a queue that is created. Default false. ${description}`,
  })

/** Parameters of GET /events for a queue that it creates: those of register, some of them under other names. */
export const getEventsQueueParameters = {
  ...registerParameters,
  fetch_event_types: optionalJson(eventTypes.nullable(), {
    description: 'Ignored here: only register returns initial data.',
  }),
  client_gravatar: optionalJson(z.boolean(), {
    description: '`avatar_url` is null if the client computes it. Default false, unlike register.',
  }),
  lifespan_secs: optionalJson(z.int().nonnegative(), {
    description: 'Another name of `queue_lifespan_secs`, for a queue that is created.',
  }),
  ...forEachCapability(capability),
}
