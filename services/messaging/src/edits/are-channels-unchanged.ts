import { isDeepStrictEqual } from 'node:util'
import type { Caller, Tx } from '@tms/service-kit'
import { canAccessChannel, readingMembership } from '../kernel/access/channel.rules.ts'
import type { ViewedChannel } from '../kernel/messages/message-view.queries.ts'
import { type ChannelTarget, findChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import type { EditPlan } from './plan-edit.ts'

/**
 * Whether the channels of an edit are unchanged since it was planned, and the caller still has access. Needs their
 * locks.
 */
export async function areChannelsUnchanged(
  tx: Tx,
  caller: Caller,
  { view, move }: EditPlan,
): Promise<boolean> {
  if (!view.channel) return true
  const source = await findChannelTarget(tx, caller, { id: view.channel.id })
  if (!source || !isUnchanged(source, view.channel)) return false
  if (!move) return true
  if (!isDeepStrictEqual(source.channel, move.source)) return false
  if (move.target.id === move.source.id) return true
  const target = await findChannelTarget(tx, caller, { id: move.target.id })
  return (
    target !== null &&
    isDeepStrictEqual(target.channel, move.target) &&
    canAccessChannel(caller, target.channel, readingMembership(target))
  )
}

function isUnchanged({ channel, isSubscribed, isReader }: ChannelTarget, planned: ViewedChannel): boolean {
  return (
    isSubscribed === planned.isSubscribed &&
    isReader === planned.isReader &&
    channel.name === planned.name &&
    channel.inviteOnly === planned.inviteOnly &&
    channel.isWebPublic === planned.isWebPublic &&
    channel.historyPublicToSubscribers === planned.historyPublicToSubscribers
  )
}
