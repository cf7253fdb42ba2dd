import { type ChannelRecord, domainEvents } from '@tms/contracts'
import { canSeeChannel, showsArchived } from './channel-access.ts'
import { channelLost } from './channel-lost.ts'
import { type ClientEventRef, cached, fieldsOf, present } from './presentation.ts'

const LOST: ClientEventRef = { index: 0, type: 'stream' }
const RENAMED: ClientEventRef = { index: 1, type: 'stream' }
const ARCHIVED: ClientEventRef = { index: 2, type: 'stream' }

/**
 * To everyone who could see the channel: `stream` `update` of its name and of `is_archived` if their client shows archived
 * channels. Otherwise `stream` `delete`, which implies the end of their subscriptions.
 */
export const presentChannelArchived = present(domainEvents.messaging.channelArchived, {
  list: ({ channel, viewers }, queue, cache) => {
    if (!canSeeChannel(queue, channel, viewers, cache)) return []
    return showsArchived(queue) ? [RENAMED, ARCHIVED] : [LOST]
  },
  write: ({ channel, archived }, index, _queue, cache) =>
    cached(cache, `${index}`, () => {
      if (index === LOST.index) return channelLost(channel)
      return index === RENAMED.index ? channelRenamed(channel, archived) : channelIsArchived(archived)
    }),
})

/** `stream` `update` of the name that an archived channel gets. */
export const channelRenamed = ({ name }: ChannelRecord, archived: ChannelRecord): string =>
  fieldsOf({ ...updateOf(archived), name, property: 'name', value: archived.name })

/** `stream` `update` of `is_archived`. */
export const channelIsArchived = (archived: ChannelRecord): string =>
  fieldsOf({ ...updateOf(archived), property: 'is_archived', value: true })

const updateOf = ({ stream_id, name }: ChannelRecord) => ({ type: 'stream', op: 'update', stream_id, name })
