import type { RegisterStateBody } from '@tms/contracts'
import { WrittenJson } from '@tms/service-kit'
import type { Viewer } from '../kernel/guest-visibility/user-visibility.ts'
import { historySecondsOf } from '../presence/presence.rules.ts'
import { readPresences } from '../presence/read-presence.ts'
import type { RegisterStateContext } from './register-state-context.ts'

/** Keys of the fetch type `presence`; empty if Redis is down. */
export async function presenceKeys(
  body: RegisterStateBody,
  viewer: Viewer,
  context: RegisterStateContext,
  at: Date,
): Promise<Record<string, unknown>> {
  const server_timestamp = at.getTime() / 1000
  try {
    const format = body.slim_presence ? 'modern' : 'legacy'
    const historySeconds = historySecondsOf(body.presence_history_limit_days)
    const asked = { at, format, historySeconds } as const
    const { text, lastUpdateId } = await readPresences(context, viewer, asked)
    return { presences: new WrittenJson(text), presence_last_update_id: lastUpdateId, server_timestamp }
  } catch {
    // The Redis connection logs the error; clients get presence with their next ping.
    return { presences: {}, presence_last_update_id: -1, server_timestamp }
  }
}
