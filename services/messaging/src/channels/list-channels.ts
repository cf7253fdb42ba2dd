import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { isListed } from './listing.rules.ts'
import { listVisibleChannels } from './visible-channel.queries.ts'

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
  const listed = visible.filter((channel) => isListed(channel, caller, input))
  return {
    streams: listed.map(({ record, isDefault }) =>
      input.include_default ? { ...record, is_default: isDefault } : record,
    ),
  }
}
