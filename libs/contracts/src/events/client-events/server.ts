import { z } from 'zod'
import { clientEvent } from './client-event.ts'

const level = z.int()

/** What happens to the server and to the queue itself. */
export const serverEvents = [
  clientEvent('restart', 'The server is another release than register said', {
    service_version: z.string(),
    service_feature_level: level,
    service_merge_base: z.string(),
    zulip_version: z.string(),
    zulip_feature_level: level,
    zulip_merge_base: z.string(),
    server_generation: z.int().describe('Grows where clients should load themselves anew.'),
  }),
  clientEvent('heartbeat', 'Nothing has happened for a minute: poll again', {}),
]
