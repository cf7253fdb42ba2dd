import { badRequest } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { canSeeArchivedChannel } from '../kernel/access/channel.rules.ts'
import { type Channel, findChannelsByNames } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Effects } from '../kernel/effects/effects.ts'
import { hasChannelPermission } from '../kernel/groups/permissions.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { leaveChannels } from './leave-channels.ts'
import type { CheckedUnsubscribe } from './prepare-unsubscribe.ts'
import { mayRemoveOthers } from './remove-others.rules.ts'
import { visibilityChangesOf } from './visibility-changes.rules.ts'

/** The response of unsubscribe: channel names. */
export interface UnsubscribeResult {
  readonly removed: string[]
  readonly not_removed: string[]
}

/** Unsubscribes and publishes it, last in the transaction. The channels must be locked. */
export async function applyUnsubscribe(
  tx: Tx,
  call: CheckedUnsubscribe,
  { publish, requestId, effects }: { publish: Context['publish']; requestId: string; effects: Effects },
): Promise<UnsubscribeResult> {
  const { caller, users } = call
  const channels = await getKnownChannels(tx, call)
  if (users.some((user) => !isOwn(caller, user))) await checkMayRemove(tx, call, channels)

  const leaving = { channelIds: channels.map(({ id }) => id), userIds: users.map(({ user_id }) => user_id) }
  const cause = { realmId: caller.realmId, requestId }
  const leavers = await leaveChannels(tx, leaving, { publish, cause, effects })
  const parted = [...leavers.values()].flat().filter(({ wasInArchive }) => !wasInArchive)
  effects.visibilityChanges.push(...visibilityChangesOf(parted, channels, users))
  const countOf = ({ id }: Channel) => leavers.get(id)?.length ?? 0
  return {
    removed: channels.filter((channel) => countOf(channel) > 0).map(({ name }) => name),
    not_removed: channels.filter((channel) => countOf(channel) < users.length).map(({ name }) => name),
  }
}

/** The caller, and bots of the caller. */
const isOwn = ({ userId }: Caller, user: KnownUser): boolean =>
  user.user_id === userId || user.bot_owner_id === userId

/** Finds the channels with these names. Throws BAD_REQUEST if one doesn't exist or the caller may not see it. */
async function getKnownChannels(tx: Tx, { caller, names }: CheckedUnsubscribe): Promise<Channel[]> {
  const found = await findChannelsByNames(tx, caller.realmId, [...names.values()])
  const memberships = await membershipsOf(tx, caller, found)
  // A former subscriber knows the channel, so leaving twice is no error.
  const known = found.filter(
    (channel) =>
      memberships.get(channel.id)?.wasSubscribed ||
      canSeeArchivedChannel(caller, channel, memberships.get(channel.id) ?? null),
  )
  const knownNames = new Set(known.map(({ name }) => caseKey(name)))
  const unknown = [...names].filter(([key]) => !knownNames.has(key)).map(([, name]) => name)
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`)
  return known
}

async function checkMayRemove(
  tx: Tx,
  { caller, policySubject }: CheckedUnsubscribe,
  channels: readonly Channel[],
) {
  const memberships = await membershipsOf(tx, caller, channels)
  for (const channel of channels) {
    const candidate = { userId: caller.userId, policySubject }
    const isPermitted =
      (await hasChannelPermission(tx, channel, 'can_remove_subscribers_group', candidate)) ||
      (await hasChannelPermission(tx, channel, 'can_administer_channel_group', candidate))
    const remover = { role: policySubject.role, isPermitted }
    if (!mayRemoveOthers(remover, channel, memberships.get(channel.id) ?? null))
      throw badRequest('Insufficient permission')
  }
}

function membershipsOf(tx: Tx, { userId }: Caller, channels: readonly Channel[]) {
  return listMemberships(
    tx,
    userId,
    channels.map(({ id }) => id),
  )
}
