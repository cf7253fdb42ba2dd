import { AppError, badRequest, type PolicySubject, Role } from '@tms/contracts'
import type { Caller, Queryable, Tx } from '@tms/service-kit'
import { type Channel, findArchivedOrLive, findChannelById } from '../kernel/channels/channel.queries.ts'
import { getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import { hasChannelPermission } from '../kernel/groups/permissions.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'

/**
 * Locks a channel of the caller's organization; whether the caller may see or change it is for the calling code to
 * check. Under the lock neither its settings nor its subscribers change, and nobody adds flags to its messages. Throws
 * BAD_REQUEST if it doesn't exist, or is archived unless that is asked for.
 */
export async function lockChannel(
  tx: Tx,
  caller: Caller,
  channelId: number,
  { withArchived = false }: { readonly withArchived?: boolean } = {},
): Promise<Channel> {
  const find = withArchived ? findArchivedOrLive : findChannelById
  const found = await find(tx, caller.realmId, channelId)
  if (found) await lockForRemoval(tx, [found.recipientId])
  // Read again, because it may have been archived or changed before the lock was acquired.
  const channel = found && (await find(tx, caller.realmId, channelId))
  if (!channel) throw badRequest('Invalid channel ID')
  return channel
}

/**
 * Locks a channel as `lockChannel` does for a user who administers it: an administrator of the organization, or a user
 * who sees it and has its `can_administer_channel_group`. Throws UNAUTHORIZED_PRINCIPAL for another user.
 */
export async function lockAdministeredChannel(
  tx: Tx,
  caller: Caller,
  policySubject: PolicySubject,
  channelId: number,
  options: { readonly withArchived?: boolean } = {},
): Promise<Channel> {
  if (caller.role <= Role.administrator) return lockChannel(tx, caller, channelId, options)
  // Before the lock, so that users outside a private channel learn nothing and hold nothing up.
  await checkAdministers(tx, caller, policySubject, channelId)
  const channel = await lockChannel(tx, caller, channelId, options)
  await checkAdministers(tx, caller, policySubject, channelId)
  return channel
}

/**
 * Throws BAD_REQUEST unless the caller sees the channel, archived or not, and UNAUTHORIZED_PRINCIPAL unless they administer
 * it.
 */
export async function checkAdministers(
  db: Queryable,
  caller: Caller,
  policySubject: PolicySubject,
  channelId: number,
): Promise<void> {
  if (caller.role <= Role.administrator) return
  const { channel } = await getVisibleChannel(db, caller, channelId, { withArchived: true })
  const candidate = { userId: caller.userId, policySubject }
  if (!(await hasChannelPermission(db, channel, 'can_administer_channel_group', candidate)))
    throw new AppError('UNAUTHORIZED_PRINCIPAL')
}
