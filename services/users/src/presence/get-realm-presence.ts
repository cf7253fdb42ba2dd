import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { presencesOf, showLegacy } from './presence.rules.ts'
import { readPresence } from './read-presence.ts'

/** The presence of everyone whom the caller sees, in the form of old. Throws SERVICE_UNAVAILABLE while Redis is away. */
export const handleGetRealmPresence: Handler<typeof endpoints.users.getRealmPresence, Context> = async ({
  caller,
  context,
}) => {
  const at = context.now()
  const { seen, people } = await readPresence(context, caller, at)
  return { server_timestamp: at.getTime() / 1000, presences: presencesOf(seen, people, showLegacy) }
}
