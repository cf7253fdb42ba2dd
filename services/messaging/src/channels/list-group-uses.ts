import { channelPermissionNames, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listChannelsNaming } from './group-use.queries.ts'

/** Where permissions on channels name the group: each channel that the user can see, the others together. */
export const handleListGroupUses: InternalHandler<typeof internal.messaging.listGroupUses, Context> = async (
  { realm_id, user_id, role, group_id },
  { db },
) => {
  const uses = await listChannelsNaming(db, { realmId: realm_id, userId: user_id, role }, group_id)
  const visible = uses.filter(({ isVisible }) => isVisible)
  const hidden = uses.filter(({ isVisible }) => !isVisible).flatMap(({ settings }) => settings)
  const hiddenSettings = channelPermissionNames.filter((name) => hidden.includes(name))
  return {
    channels: [
      ...visible.map(({ channelId, settings }) => ({ channel_id: channelId, settings })),
      ...(hiddenSettings.length > 0 ? [{ channel_id: null, settings: hiddenSettings }] : []),
    ],
  }
}
