import { type ChannelRecord, domainEvents, type PayloadOf } from '@tms/contracts'
import { isShown } from './channel-access.ts'
import { channelLost } from './channel-lost.ts'
import { type ClientEventRef, fieldsOf, present } from './presentation.ts'

type Payload = PayloadOf<typeof domainEvents.messaging.channelVisibilityChanged>

/**
 * `stream` `create` and its subscribers for each channel that becomes visible, `stream` `delete` for each that becomes
 * invisible, then `default_streams` if the user's access to those changed. Skips subscribed channels, which stay visible, and
 * archived ones that the client doesn't show.
 */
export const presentChannelVisibilityChanged = present(domainEvents.messaging.channelVisibilityChanged, {
  list: (payload, queue) => {
    const { gained, lost, default_channel_ids } = payload
    const isUnaffected = (channel: ChannelRecord) =>
      queue.channelIds.has(channel.stream_id) || !isShown(queue, channel)
    const gains = gained.flatMap(({ channel, subscribers }, at): ClientEventRef[] => {
      if (isUnaffected(channel)) return []
      const created = { index: 2 * at, type: 'stream' }
      return subscribers.length > 0 ? [created, { index: 2 * at + 1, type: 'subscription' }] : [created]
    })
    const losses = lost.flatMap((channel, at): ClientEventRef[] =>
      isUnaffected(channel) ? [] : [{ index: firstLoss(payload) + at, type: 'stream' }],
    )
    const defaults = default_channel_ids
      ? [{ index: firstLoss(payload) + lost.length, type: 'default_streams' }]
      : []
    return [...gains, ...losses, ...defaults]
  },
  write: (payload, index) => {
    const { gained, lost, default_channel_ids } = payload
    const gain = gained[Math.floor(index / 2)]
    if (gain && index % 2 === 0) return fieldsOf({ type: 'stream', op: 'create', streams: [gain.channel] })
    if (gain) {
      const [stream_ids, user_ids] = [[gain.channel.stream_id], gain.subscribers]
      return fieldsOf({ type: 'subscription', op: 'peer_add', stream_ids, user_ids })
    }
    const loss = lost[index - firstLoss(payload)]
    if (loss) return channelLost(loss)
    return fieldsOf({ type: 'default_streams', default_streams: default_channel_ids ?? [] })
  },
})

const firstLoss = ({ gained }: Payload): number => 2 * gained.length
