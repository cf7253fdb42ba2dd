import { channelPermissionNames, domainEvents, type PayloadOf } from '@tms/contracts'
import { canSeeChannel } from './channel-access.ts'
import { channelLost } from './channel-lost.ts'
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

/** Values are plain, or those of permissions, which are canonical. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

const changeOf =
  (property: keyof Channel): Update =>
  (before, channel) =>
    isSame(before[property], channel[property]) ? null : { property, value: channel[property] }

/** Changes of properties in the order of their events. Array indices are part of event IDs. */
const UPDATES: readonly Update[] = [
  // `name` is the old name in this event, and the new one in the following ones.
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
  // The legacy property is sent with every change of the policy, even if its own value is the same.
  (before, channel) =>
    before.stream_post_policy === channel.stream_post_policy
      ? null
      : { property: 'is_announcement_only', value: channel.is_announcement_only },
  changeOf('message_retention_days'),
  changeOf('first_message_id'),
  ...channelPermissionNames.map(changeOf),
  changeOf('is_recently_active'),
]

/**
 * `stream` `update` for each changed property, to users who could see the channel before and still can. `stream` `create` and
 * its subscribers, to users who can see it only now. `stream` `delete`, to users who no longer can.
 */
export const presentChannelUpdated = present(channelUpdated, {
  list: (payload, queue, cache) => {
    const { before, channel, viewers_before, viewers } = payload
    const couldSee = canSeeChannel(queue, before, viewers_before, cache)
    if (!canSeeChannel(queue, channel, viewers, cache)) return couldSee ? [LOST] : []
    if (!couldSee) return payload.subscribers.length > 0 ? [GAINED, PEERS] : [GAINED]
    return cached(cache, 'updates', () => updatesOf(payload))
  },
  write: (payload, index, _queue, cache) => cached(cache, `${index}`, () => writeEvent(payload, index)),
})

function updatesOf({ before, channel }: Payload): ClientEventRef[] {
  return UPDATES.flatMap((update, at) =>
    update(before, channel) ? [{ index: FIRST_UPDATE + at, type: 'stream' }] : [],
  )
}

function writeEvent({ before, channel, subscribers }: Payload, index: number): string {
  const { stream_id } = channel
  switch (index) {
    case GAINED.index:
      return fieldsOf({ type: 'stream', op: 'create', streams: [channel] })
    case LOST.index:
      return channelLost(before)
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
