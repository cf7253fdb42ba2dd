import { canSeeUnsubscribed, domainEvents, type PayloadOf } from '@tms/contracts'
import { type ClientEventRef, cached, fieldsOf, present } from './presentation.ts'

const { channelUpdated } = domainEvents.messaging
type Payload = PayloadOf<typeof channelUpdated>
type Channel = Payload['channel']

const GAINED: ClientEventRef = { index: 0, type: 'stream' }
const PEERS: ClientEventRef = { index: 1, type: 'subscription' }
const LOST: ClientEventRef = { index: 2, type: 'stream' }
const FIRST_UPDATE = 3

/** Fields of `stream` `update` for one property; null where it did not change. */
type Update = (before: Channel, channel: Channel) => Record<string, unknown> | null

const changeOf =
  (property: keyof Channel): Update =>
  (before, channel) =>
    before[property] === channel[property] ? null : { property, value: channel[property] }

/** What clients are told of, in this order; its places are part of event IDs. */
const UPDATES: readonly Update[] = [
  // Clients know the channel by its ID; `name` is the old one here, and the new one in what follows.
  changeOf('name'),
  (before, channel) => {
    const change = changeOf('description')(before, channel)
    return change && { ...change, rendered_description: channel.rendered_description }
  },
  (before, channel) => {
    const { invite_only, is_web_public, history_public_to_subscribers } = channel
    const isSame =
      invite_only === before.invite_only &&
      is_web_public === before.is_web_public &&
      history_public_to_subscribers === before.history_public_to_subscribers
    if (isSame) return null
    return { property: 'invite_only', value: invite_only, history_public_to_subscribers, is_web_public }
  },
  changeOf('stream_post_policy'),
  // The legacy form follows every change of the policy, whether or not it changed itself.
  (before, channel) =>
    before.stream_post_policy === channel.stream_post_policy
      ? null
      : { property: 'is_announcement_only', value: channel.is_announcement_only },
  changeOf('message_retention_days'),
  changeOf('can_remove_subscribers_group'),
  changeOf('first_message_id'),
]

/**
 * `stream` `update` for each property that changed, to who sees the channel before and after; `stream` `create`
 * and everyone in it to who sees it only now; `stream` `delete` to who no longer does.
 */
export const presentChannelUpdated = present(channelUpdated, {
  list: (payload, queue, cache) => {
    const sees = (channel: Channel) =>
      queue.channelIds.has(channel.stream_id) || canSeeUnsubscribed(queue.record.channel_role, channel)
    if (!sees(payload.channel)) return sees(payload.before) ? [LOST] : []
    if (!sees(payload.before)) return payload.subscribers.length > 0 ? [GAINED, PEERS] : [GAINED]
    return cached(cache, 'updates', () => updatesOf(payload))
  },
  write: (payload, index, _queue, cache) => cached(cache, `${index}`, () => writeEvent(payload, index)),
})

function updatesOf({ before, channel }: Payload): ClientEventRef[] {
  return UPDATES.flatMap((update, place) =>
    update(before, channel) ? [{ index: FIRST_UPDATE + place, type: 'stream' }] : [],
  )
}

function writeEvent({ before, channel, subscribers }: Payload, index: number): string {
  const { stream_id } = channel
  switch (index) {
    case GAINED.index:
      return fieldsOf({ type: 'stream', op: 'create', streams: [channel] })
    case LOST.index:
      return fieldsOf({ type: 'stream', op: 'delete', streams: [before] })
    case PEERS.index:
      return fieldsOf({
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [stream_id],
        user_ids: subscribers,
      })
    default: {
      const name = index === FIRST_UPDATE ? before.name : channel.name
      const change = UPDATES[index - FIRST_UPDATE]?.(before, channel)
      return fieldsOf({ type: 'stream', op: 'update', stream_id, name, ...change })
    }
  }
}
