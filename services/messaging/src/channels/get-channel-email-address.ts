import { badRequest, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { canAccessChannel } from '../kernel/access/channel.rules.ts'
import { getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'

/** Returns the e-mail address of a channel: always empty, since messages can't be sent by e-mail. */
export const handleGetChannelEmailAddress: Handler<
  typeof endpoints.messaging.getChannelEmailAddress,
  Context
> = async ({ input, caller, context }) => {
  if (input.sender_id !== undefined) await checkMaySendAs(context, caller, input.sender_id)
  const { channel, membership } = await getVisibleChannel(context.db, caller, input.stream_id)
  if (!canAccessChannel(caller, channel, membership)) throw badRequest('Invalid channel ID')
  return { email: '' }
}

/** Throws BAD_REQUEST unless the sender is the caller or one of the caller's bots. */
async function checkMaySendAs(
  { projections }: Pick<Context, 'projections'>,
  { realmId, userId }: Caller,
  senderId: number,
): Promise<void> {
  if (senderId === userId) return
  const sender = (await projections.findUsersByIds(realmId, [senderId])).get(senderId)
  if (!sender?.is_bot || sender.bot_owner_id !== userId) throw badRequest('Invalid sender ID')
}
