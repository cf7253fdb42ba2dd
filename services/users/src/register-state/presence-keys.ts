import type { RegisterStateBody } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { Viewer } from '../kernel/guest-visibility/user-visibility.ts'
import { presencesOf, showLegacy, showModern } from '../presence/presence.rules.ts'
import { readPresence } from '../presence/read-presence.ts'

/** Keys of the fetch type `presence`; empty if Redis is down. */
export async function presenceKeys(
  body: RegisterStateBody,
  viewer: Viewer,
  context: Context,
  at: Date,
): Promise<Record<string, unknown>> {
  const server_timestamp = at.getTime() / 1000
  try {
    const { lastSeen, accounts, lastUpdateId } = await readPresence(
      context,
      viewer,
      at,
      body.presence_history_limit_days,
    )
    return {
      presences: body.slim_presence
        ? presencesOf(lastSeen, accounts, showModern)
        : presencesOf(lastSeen, accounts, showLegacy),
      presence_last_update_id: lastUpdateId,
      server_timestamp,
    }
  } catch {
    // The Redis connection logs the error; clients get presence with their next ping.
    return { presences: {}, presence_last_update_id: -1, server_timestamp }
  }
}
