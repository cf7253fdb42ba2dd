import { z } from 'zod'
import { clientEvent } from './client-event.ts'

const level = z.int()

/** Events about the server and the queue itself. */
export const serverEvents = [
  clientEvent('restart', 'The server was upgraded since register', {
    service_version: z.string(),
    service_feature_level: level,
    service_merge_base: z.string(),
    zulip_version: z.string(),
    zulip_feature_level: level,
    zulip_merge_base: z.string(),
    server_generation: z.int().describe('Increases if clients should reload themselves.'),
  }),
  clientEvent('heartbeat', 'Nothing has happened for a minute: poll again', {}),
]
