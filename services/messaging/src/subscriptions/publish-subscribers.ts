import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { listViewers } from '../kernel/grantees/grantees.queries.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import type { NewSubscription } from './joining.queries.ts'

const { channelCreated, subscribersAdded } = domainEvents.messaging

/** New subscribers per event. Too many make the entry too large for the broker. */
const CHUNK_SIZE = 1_000

/**
 * Publishes new channels, then new subscribers, one event per channel and thousand of them. Each contains everyone
 * who is subscribed after it is applied. Call it last in the transaction, under the locks of the channels.
 */
export async function publishSubscribers(
  tx: Tx,
  { createdIds, added }: { createdIds: readonly number[]; added: readonly NewSubscription[] },
  publish: Publish<'messaging'>,
  cause: Cause,
): Promise<void> {
  const addedByChannel = Map.groupBy(added, ({ channelId }) => channelId)
  const records = await listChannelRecords(tx, [...new Set([...createdIds, ...addedByChannel.keys()])])
  const subscribers = await listSubscriberIds(tx, [...addedByChannel.keys()])

  const viewersById = await listViewers(
    tx,
    records.map(({ stream_id }) => stream_id),
  )
  const isCreated = new Set(createdIds)
  for (const channel of records) {
    const viewers = viewersById.get(channel.stream_id)
    if (isCreated.has(channel.stream_id)) await publish(tx, channelCreated, { channel, viewers }, cause)
  }
  for (const channel of records) {
    const joined = addedByChannel.get(channel.stream_id) ?? []
    const stillUnpublished = new Set(joined.map(({ userId }) => userId))
    const all = subscribers.get(channel.stream_id) ?? []
    for (let start = 0; start < joined.length; start += CHUNK_SIZE) {
      const chunk = joined.slice(start, start + CHUNK_SIZE)
      for (const { userId } of chunk) stillUnpublished.delete(userId)
      await publish(
        tx,
        subscribersAdded,
        {
          channel,
          added: chunk.map(({ userId, settings }) => ({ user_id: userId, settings })),
          subscribers:
            stillUnpublished.size === 0 ? all : all.filter((userId) => !stillUnpublished.has(userId)),
          viewers: viewersById.get(channel.stream_id),
        },
        cause,
      )
    }
  }
}
