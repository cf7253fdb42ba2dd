import { isDeepStrictEqual } from 'node:util'
import type { Caller, Tx } from '@tms/service-kit'
import { canAccessChannel } from '../channels/channel.rules.ts'
import type { ViewedChannel } from '../messages/message-view.queries.ts'
import { type ChannelPlace, findChannelPlace } from '../messages/posting-place.queries.ts'
import type { EditPlan } from './plan-edit.ts'

/**
 * Whether the channels of an edit are what they were when it was planned, and still let the caller do it. Needs their
 * locks.
 */
export async function arePlacesAsPlanned(tx: Tx, caller: Caller, { view, move }: EditPlan): Promise<boolean> {
  if (!view.channel) return true
  const source = await findChannelPlace(tx, caller, { id: view.channel.id })
  if (!source || !isAsViewed(source, view.channel)) return false
  if (!move) return true
  if (!isDeepStrictEqual(source.channel, move.source)) return false
  if (move.target.id === move.source.id) return true
  const target = await findChannelPlace(tx, caller, { id: move.target.id })
  return (
    target !== null &&
    isDeepStrictEqual(target.channel, move.target) &&
    canAccessChannel(caller, target.channel, { isActive: target.isSubscribed })
  )
}

function isAsViewed({ channel, isSubscribed }: ChannelPlace, viewed: ViewedChannel): boolean {
  return (
    isSubscribed === viewed.isSubscribed &&
    channel.name === viewed.name &&
    channel.inviteOnly === viewed.inviteOnly &&
    channel.isWebPublic === viewed.isWebPublic &&
    channel.historyPublicToSubscribers === viewed.historyPublicToSubscribers
  )
}
