import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, pathText, text } from '../../declarations/parameter.ts'
import { legacyPresence, modernPresence, presenceTiming } from '../presence.ts'

/** UNIX seconds with fractions. */
const serverTimestamp = z.number()

export const updatePresence = endpoint({
  name: 'updatePresence',
  owner: 'users',
  method: 'POST',
  path: '/users/me/presence',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Set your presence, and get that of others',
  parameters: {
    status: text(z.enum(['active', 'idle'])),
    ping_only: optionalJson(z.boolean(), { description: 'Returns no presences. Default false.' }),
    new_user_input: optionalJson(z.boolean(), {
      description: 'Whether there was input since the last ping. Default false.',
    }),
    slim_presence: optionalJson(z.boolean(), { description: 'Keys `presences` by user ID. Default false.' }),
    last_update_id: optionalJson(z.int(), {
      description:
        'Returns only what is newer than the answer with this `presence_last_update_id`; -1 for all. Implies `slim_presence`.',
    }),
    history_limit_days: optionalJson(z.int(), {
      description: `Returns only users who were present in so many days; ignored with a \`last_update_id\` above 0. Default ${presenceTiming.defaultHistoryDays}, at most 365.`,
    }),
  },
  response: z.object({
    /** By user ID, or by API e-mail for clients that didn't request `slim_presence`. */
    presences: z.record(z.string(), z.union([modernPresence, legacyPresence])).optional(),
    presence_last_update_id: z.int().optional(),
    server_timestamp: serverTimestamp.optional(),
  }),
})

const reportedPresence = z.object({ status: z.enum(['active', 'idle', 'offline']), timestamp: z.int() })

export const getUserPresence = endpoint({
  name: 'getUserPresence',
  owner: 'users',
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  auth: 'user',
  summary: `Get a user's presence; after ${presenceTiming.offlineThresholdSeconds} s \`aggregated\` is \`offline\``,
  pathParameters: { user_id_or_email: pathText },
  response: z.object({
    presence: z.object({ aggregated: reportedPresence, website: reportedPresence }),
  }),
})

export const getRealmPresence = endpoint({
  name: 'getRealmPresence',
  owner: 'users',
  method: 'GET',
  path: '/realm/presence',
  auth: 'user',
  summary: 'Get the presence of everyone in the organization, by API e-mail',
  response: z.object({
    server_timestamp: serverTimestamp,
    presences: z.record(z.string(), legacyPresence),
  }),
})
