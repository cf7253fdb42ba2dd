import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { canAccessChannel } from '../kernel/access/channel.rules.ts'
import { getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'

/** Returns the e-mail address of a channel: always empty, since messages can't be sent by e-mail. */
export const handleGetChannelEmailAddress: Handler<
  typeof endpoints.messaging.getChannelEmailAddress,
  Context
> = async ({ input, caller, context }) => {
  const { channel, membership } = await getVisibleChannel(context.db, caller, input.stream_id)
  if (!canAccessChannel(caller, channel, membership)) throw badRequest('Invalid channel ID')
  return { email: '' }
}
