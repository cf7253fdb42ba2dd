import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { getVisibleChannel, getVisibleChannelByName } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'

/** Returns channels by ID and name. Throws BAD_REQUEST for the first one that the user may not see. */
export const handleCheckChannels: InternalHandler<typeof internal.messaging.checkChannels, Context> = async (
  { realm_id, user_id, role, stream_ids, stream_names },
  { db },
) => {
  const caller = { realmId: realm_id, userId: user_id, role, isBot: false }
  const channels: Channel[] = []
  for (const streamId of stream_ids) channels.push((await getVisibleChannel(db, caller, streamId)).channel)
  for (const name of stream_names) channels.push(await getVisibleChannelByName(db, caller, name))
  return {
    channels: channels.map(({ id, name, inviteOnly }) => ({ stream_id: id, name, invite_only: inviteOnly })),
  }
}
