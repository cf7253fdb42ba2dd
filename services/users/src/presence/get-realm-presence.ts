import type { endpoints } from '@tms/contracts'
import { type Handler, SerializedFields } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { defaultHistorySeconds } from './presence.rules.ts'
import { readPresences } from './read-presence.ts'

/** Presence of all users that the caller sees, in the legacy format. Throws SERVICE_UNAVAILABLE if Redis is down. */
export const handleGetRealmPresence: Handler<typeof endpoints.users.getRealmPresence, Context> = async ({
  caller,
  context,
}) => {
  const at = context.now()
  const historySeconds = defaultHistorySeconds
  const { text } = await readPresences(context, caller, { at, format: 'legacy', historySeconds })
  return new SerializedFields(`"server_timestamp":${at.getTime() / 1000},"presences":${text}`)
}
