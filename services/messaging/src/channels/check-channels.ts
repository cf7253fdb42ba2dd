import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { getVisibleById, getVisibleByName } from './find-visible.ts'

/** Whether a user knows of channels. Throws BAD_REQUEST for the first that they can't know of. */
export const handleCheckChannels: InternalHandler<typeof internal.messaging.checkChannels, Context> = async (
  { realm_id, user_id, role, stream_ids, stream_names },
  { db },
) => {
  const caller = { realmId: realm_id, userId: user_id, role, isBot: false }
  for (const streamId of stream_ids) await getVisibleById(db, caller, streamId)
  for (const name of stream_names) await getVisibleByName(db, caller, name)
  return {}
}
