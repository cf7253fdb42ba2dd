import { badRequest, limits, Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { insertChannels, lockNewChannelCount } from '../channels/new-channel.queries.ts'
import { renderDescription } from '../channels/render-description.ts'
import { type Channel, findChannelById } from '../kernel/channels/channel.queries.ts'
import { refreshGrantees } from '../kernel/grantees/refresh-grantees.ts'
import type { CheckedSubscribe } from './prepare-subscribe.ts'

/**
 * Throws BAD_REQUEST if the caller has created too many channels today. Until the transaction ends the caller creates
 * no others.
 */
export async function checkDailyCreations(tx: Tx, { caller, missing }: CheckedSubscribe): Promise<void> {
  if (missing.length === 0 || caller.role <= Role.administrator) return
  if ((await lockNewChannelCount(tx, caller)) + missing.length > limits.maxNewChannelsPerDay) {
    throw badRequest(`You can create at most ${limits.maxNewChannelsPerDay} channels in a day.`)
  }
}

/** Creates the missing channels. */
export async function createMissing(
  tx: Tx,
  { caller, missing, settings, noticeSender: { realm } }: CheckedSubscribe,
): Promise<Channel[]> {
  if (!settings) return []
  const channels = missing.map(({ name, description }) => ({
    name,
    description,
    renderedDescription: renderDescription(realm, description),
  }))
  const created = await insertChannels(tx, channels, {
    ...settings,
    realmId: caller.realmId,
    creatorId: caller.userId,
  })
  if (settings.inviteOnly) for (const channel of created) await refreshGrantees(tx, channel)
  return created
}

/**
 * Finds the channel for announcements of new channels: null unless the request asks for an announcement and there
 * is such a channel.
 */
export async function findAnnouncementChannel(
  tx: Tx,
  { caller, announces, settings, noticeSender: { realm } }: CheckedSubscribe,
): Promise<Channel | null> {
  // Private channels are not announced.
  if (!announces || !settings || settings.inviteOnly) return null
  const channelId = realm.new_stream_announcements_stream_id
  return channelId > 0 ? findChannelById(tx, caller.realmId, channelId) : null
}
