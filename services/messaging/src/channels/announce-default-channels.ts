import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listDefaultChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { lockDefaultChannels } from './channel-update.queries.ts'

/** Publishes the list of default channels after a change of it, under the lock of the changed channel. */
export async function announceDefaultChannels(
  tx: Tx,
  publish: Publish<'messaging'>,
  cause: Cause,
): Promise<void> {
  await lockDefaultChannels(tx, cause.realmId)
  const records = await listDefaultChannelRecords(tx, cause.realmId)
  const channels = records.map(({ stream_weekly_traffic: _traffic, ...record }) => record)
  await publish(tx, domainEvents.messaging.defaultChannelsChanged, { channels }, cause)
}
