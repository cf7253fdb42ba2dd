import { type ChannelRecord, domainEvents, type PayloadOf } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { isShown, seesUnsubscribed, showsArchived } from './channel-access.ts'
import { channelIsArchived, channelRenamed } from './channel-archived.ts'
import { channelLost } from './channel-lost.ts'
import { type ClientEventRef, cached, fieldsOf, present } from './presentation.ts'

const { subscribersAdded, subscribersRemoved } = domainEvents.messaging

const STREAM_GAINED: ClientEventRef = { index: 0, type: 'stream' }
const OWN: ClientEventRef = { index: 1, type: 'subscription' }
const STREAM_LOST: ClientEventRef = { index: 2, type: 'stream' }
const PEERS: ClientEventRef = { index: 3, type: 'subscription' }
const RENAMED: ClientEventRef = { index: 4, type: 'stream' }
const ARCHIVED: ClientEventRef = { index: 5, type: 'stream' }

/**
 * `subscription` `add` to the new subscribers, after `stream` `create` if subscribing makes the channel visible to them.
 * `peer_add` to everyone else who can see the channel. `add` has the complete list of subscribers after the change, unless the
 * queue was registered without it.
 */
export const presentSubscribersAdded = present(subscribersAdded, {
  list: (payload, queue, cache) => {
    if (!isShown(queue, payload.channel)) return []
    const added = cached(
      cache,
      'added',
      () => new Map(payload.added.map((one) => [one.user_id, one.settings])),
    )
    const isVisible = seesUnsubscribed(queue, payload.channel, payload.viewers, cache)
    if (added.has(queue.record.user_id)) return isVisible ? [OWN] : [STREAM_GAINED, OWN]
    return isVisible || queue.channelIds.has(payload.channel.stream_id) ? [PEERS] : []
  },
  write: ({ channel, added, subscribers }, index, queue, cache) => {
    if (index === STREAM_GAINED.index) {
      return cached(cache, 'stream', () => fieldsOf({ type: 'stream', op: 'create', streams: [channel] }))
    }
    if (index === PEERS.index) {
      return cached(cache, 'peers', () =>
        peers(
          'peer_add',
          channel,
          added.map(({ user_id }) => user_id),
        ),
      )
    }
    const settings = added.find(({ user_id }) => user_id === queue.user_id)?.settings
    const { is_default: _default, ...record } = channel
    const list = queue.include_subscribers ? { subscribers } : {}
    return fieldsOf({ type: 'subscription', op: 'add', subscriptions: [{ ...record, ...settings, ...list }] })
  },
})

type Removed = PayloadOf<typeof subscribersRemoved>

/**
 * `subscription` `remove` to the former subscribers, and `stream` `delete` if leaving makes the channel invisible to them.
 * `peer_remove` of the others to everyone who can still see the channel. If it was archived because nobody is left in it, then
 * as `channelArchived` is presented.
 */
export const presentSubscribersRemoved = present(subscribersRemoved, {
  list: (payload, queue, cache) => {
    if (!isShown(queue, payload.channel)) return []
    const isVisible = seesUnsubscribed(queue, payload.channel, payload.viewers, cache)
    const isOwn = payload.user_ids.includes(queue.record.user_id)
    const isArchived = Boolean(payload.archived)
    const isEnd = isArchived && !showsArchived(queue)
    if (isOwn && (!isVisible || isEnd)) return [OWN, STREAM_LOST]
    if (isEnd) return isVisible ? [STREAM_LOST] : []
    const others = othersOf(payload, queue)
    const canSeePeers = isVisible || queue.channelIds.has(payload.channel.stream_id)
    const archival = isArchived && canSeePeers ? [RENAMED, ARCHIVED] : []
    return [...(isOwn ? [OWN] : []), ...(canSeePeers && others > 0 ? [PEERS] : []), ...archival]
  },
  write: ({ channel, user_ids, archived }, index, queue, cache) => {
    if (archived && index === RENAMED.index) return channelRenamed(channel, archived)
    if (archived && index === ARCHIVED.index) return channelIsArchived(archived)
    const { stream_id, name } = channel
    if (index === OWN.index) {
      return fieldsOf({ type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name }] })
    }
    if (index === STREAM_LOST.index) {
      return cached(cache, 'stream', () => channelLost(channel))
    }
    const others = user_ids.filter((userId) => userId !== queue.user_id)
    return peers('peer_remove', channel, others)
  },
})

function othersOf({ user_ids }: Removed, queue: QueueState): number {
  return user_ids.length - (user_ids.includes(queue.record.user_id) ? 1 : 0)
}

function peers(op: 'peer_add' | 'peer_remove', channel: ChannelRecord, userIds: readonly number[]): string {
  return fieldsOf({ type: 'subscription', op, stream_ids: [channel.stream_id], user_ids: userIds })
}
