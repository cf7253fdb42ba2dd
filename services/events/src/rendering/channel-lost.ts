import type { ChannelRecord } from '@tms/contracts'
import { fieldsOf } from './presentation.ts'

/** `stream` `delete`: older clients read the channel, newer ones its ID. */
export const channelLost = (channel: ChannelRecord): string =>
  fieldsOf({ type: 'stream', op: 'delete', stream_ids: [channel.stream_id], streams: [channel] })
