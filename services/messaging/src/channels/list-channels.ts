import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import {
  listSubscribedChannels,
  listVisibleChannels,
  type VisibleChannel,
} from '../kernel/channels/visible-channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { isListed, withOwnerChannels } from './listing.rules.ts'

/** Lists the channels that the caller sees and the filters include. */
export const handleListChannels: Handler<typeof endpoints.messaging.listChannels, Context> = async ({
  input,
  caller,
  context,
}) => {
  if (input.include_all_active && caller.role > Role.administrator) {
    throw badRequest('User not authorized for this query')
  }
  const archive = { withArchived: input.exclude_archived === false }
  const visible = await listVisibleChannels(context.db, caller, archive)
  const owners = input.include_owner_subscribed ? await listOwnerChannels(context, caller, archive) : []
  const listed = withOwnerChannels(
    visible.filter((channel) => isListed(channel, caller, input)),
    owners,
  )
  return {
    streams: listed.map(({ record, isDefault }) =>
      input.include_default ? { ...record, is_default: isDefault } : record,
    ),
  }
}

/** Lists the channels that the owner of a bot is subscribed to. */
async function listOwnerChannels(
  { db, projections }: Context,
  caller: Caller,
  archive: { readonly withArchived: boolean },
): Promise<VisibleChannel[]> {
  const { bot_owner_id } = await projections.getUser(caller.userId)
  return bot_owner_id === null ? [] : listSubscribedChannels(db, bot_owner_id, archive)
}
