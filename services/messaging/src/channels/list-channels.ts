import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { isListed, withOwners } from './listing.rules.ts'
import {
  listSubscribedChannels,
  listVisibleChannels,
  type VisibleChannel,
} from './visible-channel.queries.ts'

/** Lists the channels that the caller sees, as the filters say. */
export const handleListChannels: Handler<typeof endpoints.messaging.listChannels, Context> = async ({
  input,
  caller,
  context,
}) => {
  if (input.include_all_active && caller.role > Role.administrator) {
    throw badRequest('User not authorized for this query')
  }
  const visible = await listVisibleChannels(context.db, caller)
  const owners = input.include_owner_subscribed ? await listOwners(context, caller) : []
  const listed = withOwners(
    visible.filter((channel) => isListed(channel, caller, input)),
    owners,
  )
  return {
    streams: listed.map(({ record, isDefault }) =>
      input.include_default ? { ...record, is_default: isDefault } : record,
    ),
  }
}

/** The channels that a bot's owner is subscribed to. */
async function listOwners({ db, directory }: Context, caller: Caller): Promise<VisibleChannel[]> {
  const { bot_owner_id } = await directory.getUser(caller.userId)
  return bot_owner_id === null ? [] : listSubscribedChannels(db, bot_owner_id)
}
