import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listDefaultChannelIds } from '../kernel/channels/channel.queries.ts'
import { lockDefaultChannels } from './channel-update.queries.ts'

/** Publishes the list of default channels after a change of it, under the lock of the changed channel. */
export async function publishDefaultChannels(
  tx: Tx,
  publish: Publish<'messaging'>,
  cause: Cause,
): Promise<void> {
  await lockDefaultChannels(tx, cause.realmId)
  const channel_ids = await listDefaultChannelIds(tx, cause.realmId)
  await publish(tx, domainEvents.messaging.defaultChannelsChanged, { channel_ids }, cause)
}
