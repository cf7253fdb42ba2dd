import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { presencesOf, showLegacy } from './presence.rules.ts'
import { readPresence } from './read-presence.ts'

/** Presence of all users that the caller sees, in the legacy format. Throws SERVICE_UNAVAILABLE if Redis is down. */
export const handleGetRealmPresence: Handler<typeof endpoints.users.getRealmPresence, Context> = async ({
  caller,
  context,
}) => {
  const at = context.now()
  const { lastSeen, accounts } = await readPresence(context, caller, at)
  return { server_timestamp: at.getTime() / 1000, presences: presencesOf(lastSeen, accounts, showLegacy) }
}
