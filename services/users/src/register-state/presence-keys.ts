import type { RegisterStateBody } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { Viewer } from '../guest-visibility/sight.ts'
import { presencesOf, showLegacy, showModern } from '../presence/presence.rules.ts'
import { readPresence } from '../presence/read-presence.ts'

/** Keys of the fetch type `presence`; nobody is here as long as Redis is away. */
export async function presenceKeys(
  body: RegisterStateBody,
  viewer: Viewer,
  context: Context,
  at: Date,
): Promise<Record<string, unknown>> {
  const server_timestamp = at.getTime() / 1000
  try {
    const { seen, people, lastUpdateId } = await readPresence(context, viewer, at)
    return {
      presences: body.slim_presence
        ? presencesOf(seen, people, showModern)
        : presencesOf(seen, people, showLegacy),
      presence_last_update_id: lastUpdateId,
      server_timestamp,
    }
  } catch {
    // The connection has told the log; clients get presence at their next ping.
    return { presences: {}, presence_last_update_id: -1, server_timestamp }
  }
}
