import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { queueTiming } from '../../declarations/limits.ts'
import { json, optionalJson, optionalText, text } from '../../declarations/parameter.ts'
import { deliveredEvent } from '../delivered-event.ts'
import { registerFields } from '../register-fields.ts'
import { getEventsQueueParameters, registerParameters } from '../register-parameters.ts'
import { spectatorFields } from '../spectator-state.ts'

const releaseFields = {
  zulip_version: z.string(),
  zulip_feature_level: z.int(),
  zulip_merge_base: z.string(),
  service_version: z.string(),
  service_feature_level: z.int(),
  service_merge_base: z.string(),
}

export const register = endpoint({
  name: 'register',
  owner: 'events',
  method: 'POST',
  path: '/register',
  auth: 'user-or-spectator',
  tokenAccess: 'read',
  summary: 'Register an event queue and get the initial state',
  description: [
    'Without credentials there is no queue, only the state: `client_gravatar` and `include_subscribers` must not be true, and the',
    'answer is 401 if the organization has no web-public channel. Use `GET /messages` for new messages.',
  ].join('\n'),
  parameters: registerParameters,
  mayBeGzipped: true,
  response: z.looseObject({
    queue_id: z.string(),
    last_event_id: z.int(),
    /** Seconds without a poll after which the queue is deleted; may differ from the requested value. */
    idle_queue_timeout_secs: z.int(),
    /** Seconds that a client should wait for the answer to a poll: longer than any poll takes. */
    event_queue_longpoll_timeout_seconds: z.int(),
    /** The queue's events also come by `GET /events/stream`. */
    event_stream_available: z.literal(true),
    ...releaseFields,
    ...registerFields,
  }),
  spectatorResponse: z.object({ queue_id: z.null(), ...releaseFields, ...spectatorFields }),
})

export const getEvents = endpoint({
  name: 'getEvents',
  owner: 'events',
  method: 'GET',
  path: '/events',
  auth: 'user',
  summary: 'Get events from an event queue',
  description: [
    'Answers as soon as the queue has events that `last_event_id` does not acknowledge, and at the latest after about',
    `${(queueTiming.heartbeatMinMs + queueTiming.heartbeatSpreadMs) / 1_000} seconds, with a \`heartbeat\` or with no event at all: then poll again.`,
    'Unacknowledged events are sent again, so that none is lost with an answer that did not arrive.',
    'A queue has at most one pending request: a newer one ends it without an event, and so does deleting the queue.',
    '`BAD_EVENT_QUEUE_ID` means that the queue no longer exists, with its events: register another one.',
    'Without `queue_id` the request creates a queue, as `POST /register` does.',
  ].join('\n'),
  isLongPoll: true,
  parameters: {
    queue_id: optionalText(z.string()),
    last_event_id: optionalJson(z.int(), {
      description: 'Highest event ID received; acknowledges all up to it.',
    }),
    dont_block: optionalJson(z.boolean(), {
      description: 'Reply at once, possibly with no event. Default false.',
    }),
    ...getEventsQueueParameters,
  },
  response: z.object({
    queue_id: z.string(),
    /** Of a created queue: seconds without a poll after which it is deleted. */
    idle_queue_timeout_secs: z.int().optional(),
    events: z.array(deliveredEvent),
  }),
  errors: ['BAD_EVENT_QUEUE_ID'],
})

export const streamEvents = endpoint({
  name: 'streamEvents',
  owner: 'events',
  method: 'GET',
  path: '/events/stream',
  auth: 'user',
  summary: 'Receive the events of a queue as they happen',
  description: [
    'Answers with `text/event-stream` (server-sent events) and stays open: each message has an event of the queue as `data`, the same',
    'JSON as in the answer to a poll, and its ID as `id`. There are no `heartbeat` events; comments keep the connection open.',
    '`last_event_id`, or the header `Last-Event-ID`, which wins, acknowledges all events up to it; later ones come again. So a client',
    'that was disconnected connects again and misses none.',
    'Acknowledge what was handled by `POST /events/acknowledge` now and then: events wait in the queue until then, and a queue with',
    'too many is dropped.',
    'A queue has one poll or stream at a time, and the newer one wins: the older stream ends with a message whose `event` is',
    '`superseded`. If no other program of yours has the queue, an older request arrived late: connect again after some seconds, as',
    'after any other end at once. `BAD_EVENT_QUEUE_ID` then means that the queue no longer exists: register another.',
  ].join('\n'),
  isLongPoll: true,
  answer: 'event-stream',
  parameters: {
    queue_id: text(z.string()),
    last_event_id: optionalJson(z.int(), {
      description: 'Highest event ID handled; acknowledges all up to it.',
    }),
    dont_block: optionalJson(z.boolean(), {
      description: 'End after the events that wait in the queue. Default false.',
    }),
  },
  response: z.object({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
})

export const acknowledgeEvents = endpoint({
  name: 'acknowledgeEvents',
  owner: 'events',
  method: 'POST',
  path: '/events/acknowledge',
  auth: 'user',
  tokenAccess: 'read',
  summary: 'Acknowledge events that a stream delivered',
  description: [
    'Removes the events up to `last_event_id` from the queue, which a poll does by its `last_event_id`. An open stream continues.',
    'Repeating it changes nothing.',
  ].join('\n'),
  parameters: {
    queue_id: text(z.string()),
    last_event_id: json(z.int(), { description: 'Highest event ID handled.' }),
  },
  response: z.object({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
})

export const deleteEventQueue = endpoint({
  name: 'deleteEventQueue',
  owner: 'events',
  method: 'DELETE',
  path: '/events',
  auth: 'user',
  tokenAccess: 'read',
  summary: 'Delete an event queue',
  parameters: { queue_id: text(z.string()) },
  response: z.object({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
})
