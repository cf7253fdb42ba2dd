import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { narrowsNaming } from '../naming.ts'
import type { SamplesOf } from '../sample.ts'

const queueOf = async (client: ApiClient, event_types?: string[]): Promise<string> =>
  (await client.call(endpoints.events.register, { event_types, fetch_event_types: [] })).queue_id

export const eventQueueSamples = {
  register: {
    valid: { fetch_event_types: '[]' },
    foreign: (names) =>
      narrowsNaming(names)
        .slice(0, 4)
        .map((narrow) => ({ fetch_event_types: '[]', narrow })),
  },
  getEvents: {
    // Not of all events: each of dozens of responses would contain all events of the other endpoints' tests.
    valid: async ({ owner }) => ({ queue_id: await queueOf(owner, ['message']), dont_block: 'true' }),
    foreign: ({ queue: queue_id }) => [{ queue_id, last_event_id: '-1', dont_block: 'true' }],
  },
  streamEvents: {
    valid: async ({ owner }) => ({ queue_id: await queueOf(owner, ['message']), dont_block: 'true' }),
    foreign: ({ queue: queue_id }) => [{ queue_id, last_event_id: '-1', dont_block: 'true' }],
  },
  acknowledgeEvents: {
    valid: async ({ owner }) => ({ queue_id: await queueOf(owner), last_event_id: '-1' }),
    foreign: ({ queue: queue_id }) => [{ queue_id, last_event_id: '-1' }],
  },
  deleteEventQueue: {
    valid: async ({ owner }) => ({ queue_id: await queueOf(owner) }),
    foreign: ({ queue: queue_id }) => [{ queue_id }],
  },
} satisfies SamplesOf<'events'>
