import { channelPermissionNames, type internal } from '@tms/contracts'
import { type InternalHandler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { takeChannelGrantsLock } from '../kernel/locks/channel-grants-lock.queries.ts'
import { listChannelsNaming } from './group-use.queries.ts'

/**
 * Where permissions on channels name the group: each channel that the user can see, the others together. Waits for changes of
 * permissions that have begun.
 */
export const handleListGroupUses: InternalHandler<typeof internal.messaging.listGroupUses, Context> = async (
  { realm_id, user_id, role, group_id },
  { db },
) => {
  const uses = await transact(db, async (tx) => {
    await takeChannelGrantsLock(tx, realm_id)
    return listChannelsNaming(tx, { realmId: realm_id, userId: user_id, role }, group_id)
  })
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
