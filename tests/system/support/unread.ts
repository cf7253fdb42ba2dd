import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

/** IDs of a user's unread messages in these channels, ascending, according to register. */
export async function unreadIn(client: ApiClient, channelIds: readonly number[]): Promise<number[]> {
  const state = await client.call(endpoints.events.register, {
    event_types: [],
    fetch_event_types: ['message', 'update_message_flags'],
  })
  const { streams } = state['unread_msgs'] as {
    streams: { stream_id: number; unread_message_ids: number[] }[]
  }
  return streams
    .filter(({ stream_id }) => channelIds.includes(stream_id))
    .flatMap(({ unread_message_ids }) => unread_message_ids)
    .sort((a, b) => a - b)
}
