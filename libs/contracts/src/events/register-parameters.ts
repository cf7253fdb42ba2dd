import { z } from 'zod'
import { optionalJson, optionalTextOrJson, type Parameter } from '../parameter.ts'
import { declaredCapabilities, forEachCapability } from './register-state.ts'

/** Everything here is kept for as long as the queue lives, so what no client needs must not grow it. */
const eventTypes = z.array(z.string().max(100)).max(500)
const narrow = z.array(z.array(z.string().max(300)).length(2)).max(100)

const seconds = z.union([z.int().nonnegative(), z.literal('mobile')], {
  error: 'must be a number of seconds, 0 or more, or mobile',
})

/** Parameters of register; GET /events takes them too, in place of `queue_id`. */
export const registerParameters = {
  event_types: optionalJson(eventTypes.nullable(), {
    description: 'Event types to queue; all when absent or null.',
  }),
  fetch_event_types: optionalJson(eventTypes.nullable(), {
    description: 'Initial data to return; the same as `event_types` when absent or null.',
  }),
  apply_markdown: optionalJson(z.boolean(), {
    description: 'Message events carry HTML when true, the raw text when false. Default false.',
  }),
  client_gravatar: optionalJson(z.boolean(), {
    description: '`avatar_url` is null where the client computes it. Default true.',
  }),
  slim_presence: optionalJson(z.boolean(), { description: 'Presence is keyed by user ID. Default false.' }),
  include_subscribers: optionalJson(z.boolean(), {
    description: 'Adds `subscribers` to channels. Default false.',
  }),
  all_public_streams: optionalJson(z.boolean(), {
    description: 'Message events of all public channels, subscribed or not. Default false.',
  }),
  narrow: optionalJson(narrow, {
    description:
      'Which message events come: a list of [operator, operand], all of which must fit. `channel` or `stream` with a name, `topic` with a name, `sender` with an e-mail address; `is` with `dm`, `private`, `starred`, `unread`, `mentioned`, `alerted` (the same as `mentioned`) or `resolved`, and with anything else fits everything. With a narrow, messages of public channels come that one is not subscribed to.',
  }),
  client_capabilities: optionalJson(declaredCapabilities, {
    description:
      'What the client can do, each false when absent; `notification_settings_null` is mandatory if this is sent.',
  }),
  queue_lifespan_secs: optionalJson(z.int().nonnegative(), {
    description:
      'Seconds without a poll after which the queue is dropped; 0 is 600, at most 604800. One in which very much waits, 20,000 events unless configured otherwise, is dropped sooner.',
  }),
  idle_queue_timeout: optionalTextOrJson(seconds, {
    description:
      'The same under its newer name, which counts when both are sent: seconds, or `mobile` for 12 hours. Answered as `idle_queue_timeout_secs`.',
  }),
}

const capability = (description: string): Parameter<boolean, false> =>
  optionalJson(z.boolean(), {
    description: `As in \`client_capabilities\`, for a queue that is opened. Default false. ${description}`,
  })

/** What GET /events takes for a queue that it opens: what register does, and some of it under names of its own. */
export const inPassingParameters = {
  ...registerParameters,
  fetch_event_types: optionalJson(eventTypes.nullable(), {
    description: 'Means nothing here: initial data come from register alone.',
  }),
  client_gravatar: optionalJson(z.boolean(), {
    description: '`avatar_url` is null where the client computes it. Default false, other than at register.',
  }),
  lifespan_secs: optionalJson(z.int().nonnegative(), {
    description: '`queue_lifespan_secs` under another name, for a queue that is opened.',
  }),
  ...forEachCapability(capability),
}
