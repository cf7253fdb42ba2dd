import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import { groupByChannel } from './group-by-channel.ts'
import { listSubscriberIds, type Subscribed } from './subscription.queries.ts'

const { channelCreated, subscribersAdded } = domainEvents.messaging

/** New subscribers in one event: too many make an entry of the log too large for what carries it. */
const CHUNK_SIZE = 1_000

/**
 * Tells of new channels, then of new subscribers, one event per channel and thousand of them. Each carries
 * everyone who is subscribed once it is applied. Do it last in the transaction, under the channels' locks.
 */
export async function announceSubscribers(
  tx: Tx,
  { createdIds, added }: { createdIds: readonly number[]; added: readonly Subscribed[] },
  publish: Publish<'messaging'>,
  cause: Cause,
): Promise<void> {
  const addedByChannel = groupByChannel(added)
  const records = await listChannelRecords(tx, [...new Set([...createdIds, ...addedByChannel.keys()])])
  const subscribers = await listSubscriberIds(tx, [...addedByChannel.keys()])

  const isCreated = new Set(createdIds)
  for (const channel of records) {
    if (isCreated.has(channel.stream_id)) await publish(tx, channelCreated, { channel }, cause)
  }
  for (const channel of records) {
    const joined = addedByChannel.get(channel.stream_id) ?? []
    const told = new Set(joined.map(({ userId }) => userId))
    const all = subscribers.get(channel.stream_id) ?? []
    for (let start = 0; start < joined.length; start += CHUNK_SIZE) {
      const chunk = joined.slice(start, start + CHUNK_SIZE)
      for (const { userId } of chunk) told.delete(userId)
      await publish(
        tx,
        subscribersAdded,
        {
          channel,
          added: chunk.map(({ userId, settings }) => ({ user_id: userId, settings })),
          subscribers: told.size === 0 ? all : all.filter((userId) => !told.has(userId)),
        },
        cause,
      )
    }
  }
}
